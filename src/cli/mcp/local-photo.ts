import { type Larder, LarderError } from '#larder-client';
import { isRefusal } from '../../scan/images/image-facts.ts';
import { inspectImage } from '../../scan/images/inspect-image.ts';
import { readImageFile } from '../terminal/file-arguments.ts';
import { Refusal } from './service-link.ts';

const SCAN_TOOL = 'scan_photo';
const CLIENT_ID = 'larder mcp';

type Given = Readonly<Record<string, unknown>>;

export interface ListedTool {
  readonly name: string;
  readonly inputSchema: { readonly properties?: Readonly<Record<string, unknown>> };
}

/**
 * The tool that scans photos also accepts a file of this machine, because an assistant has a path and not the
 * bytes.
 */
export function withLocalPhotos(tool: ListedTool): ListedTool {
  if (tool.name !== SCAN_TOOL) return tool;
  const path = {
    type: 'string',
    description: 'A photo on this computer, instead of imageBase64, up to 10 MiB. Each call scans it anew.',
  };
  const { inputSchema } = tool;
  return { ...tool, inputSchema: { ...inputSchema, properties: { ...inputSchema.properties, path } } };
}

/**
 * Replaces the file in a call by the scan of its photo. Rejects files that are not photos by their header, so
 * that no other file of this machine is sent. Throws a `Refusal`.
 */
export async function sendLocalPhoto(name: string, given: Given, larder: Larder): Promise<Given> {
  const { path, ...others } = given;
  if (name !== SCAN_TOOL || typeof path !== 'string') return given;
  const photo = await readImageFile(path);
  if ('code' in photo) throw new Refusal(photo.code, photo.message);
  const facts = inspectImage(photo);
  if (isRefusal(facts)) throw new Refusal(facts.code, facts.message);
  try {
    const scan = await larder.scans.create(photo, {
      clientId: CLIENT_ID,
      contentType: facts.type,
    });
    return { ...others, scanJobId: scan.jobId };
  } catch (error) {
    if (!(error instanceof LarderError)) throw error;
    throw new Refusal(error.code, error.message);
  }
}
