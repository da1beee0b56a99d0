/**
 * Writes the bill of materials of shipped packages (CycloneDX, JSON), and exits with 1 if any package,
 * including those for building and testing, has a licence that is not allowed.
 *
 *     npm run sbom -- [--out larder.cdx.json]
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { licenceProblems } from './licences.ts';
import { makeSbom, packagesOf } from './sbom.ts';

const { values } = parseArgs({ options: { out: { type: 'string', default: 'larder.cdx.json' } } });
const shipped = makeSbom({ shipped: true });
writeFileSync(values.out, `${JSON.stringify(shipped, undefined, 2)}\n`);
const all = packagesOf(makeSbom({ shipped: false }));
const problems = licenceProblems(all);
console.log(
  `${values.out}: ${shipped.components.length} components. Licences of ${all.length} packages looked at.`,
);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
