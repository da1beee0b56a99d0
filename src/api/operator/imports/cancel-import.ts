import { operation } from '../../operation.ts';
import { OPERATOR_TAG, operatorAccess } from '../operator-parts.ts';
import { type ImportPorts, importParams } from './import-job-json.ts';

export const cancelImport = operation({
  method: 'DELETE',
  path: '/v1/operator/imports/:importId',
  id: 'cancelImport',
  tag: OPERATOR_TAG,
  summary: 'Cancel an import; the catalogue in use does not change',
  access: operatorAccess,
  counts: 'other',
  params: importParams,
  answer: { status: 204, description: 'It is cancelled, or had ended.' },
  errors: ['import_not_found'],
  handle: async ({ params }, { catalogueImports }: ImportPorts) => {
    await (await catalogueImports()).cancel(params.importId);
  },
});
