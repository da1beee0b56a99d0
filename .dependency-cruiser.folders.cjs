/** Folders import each other in one direction. Tests are left out, since they import from everywhere. */
const { options } = require('./.dependency-cruiser.cjs');

module.exports = {
  forbidden: [
    { name: 'no-folder-cycles', scope: 'folder', severity: 'error', from: {}, to: { circular: true } },
  ],
  options: { ...options, exclude: { path: '\\.test\\.ts$' } },
};
