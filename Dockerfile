# The official Node image; nothing has to be downloaded beside the npm packages.
FROM node:24-bookworm-slim AS page
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.json ./
COPY packages ./packages
COPY web ./web
RUN npm ci --omit=dev --workspace web && node web/build.ts

FROM node:24-bookworm-slim AS install
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages ./packages
COPY web/package.json ./web/package.json
# Optional packages scan photos. `docker build --build-arg SCANS=off` leaves them out; the image is then 300 MB smaller.
ARG SCANS=on
RUN npm ci --omit=dev $([ "$SCANS" = on ] || echo --omit=optional)
# What the service never loads: the Node that npm brings along, since the image has one, what builds the page, binaries for
# other platforms, the sources of SQLite, builds of libraries for browsers, and what only editors and debuggers read.
RUN rm -rf node_modules/node-linux-* node_modules/node-win-* node_modules/@larder/web \
    node_modules/vite node_modules/rolldown node_modules/@rolldown node_modules/lightningcss* node_modules/esbuild node_modules/@esbuild \
    node_modules/better-sqlite3/deps node_modules/better-sqlite3/src \
    node_modules/@huggingface/transformers/src node_modules/@huggingface/transformers/types \
    node_modules/libheif-js/libheif \
  && if [ -d node_modules/onnxruntime-node ]; then find node_modules/onnxruntime-node/bin -mindepth 3 -maxdepth 3 ! -path "*/linux/$(node -p process.arch)" -exec rm -rf {} +; fi \
  && find node_modules/better-sqlite3/prebuilds -type f ! -name "linux-$(node -p process.arch).node" -delete \
  && find node_modules -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' \) -delete

FROM node:24-bookworm-slim
# Two pools of memory for the native code of all threads: with one for each, what one frees another one cannot use. What is larger than
# 128 KiB goes back to the system when it is freed.
ENV NODE_ENV=production LARDER_HOST=0.0.0.0 LARDER_DATA_DIR=/data MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072
WORKDIR /app
COPY --from=install /app/node_modules ./node_modules
COPY package.json openapi.json openapi-unversioned.json LICENSE ./
COPY bin ./bin
COPY models ./models
COPY packages ./packages
COPY src ./src
COPY --from=page /app/web/dist ./web/dist
# Keeps the prepared code of commands, threads and analysis processes, which a container cannot write: without it each start
# takes longer, and each thread 15 MB more.
RUN node bin/larder.mjs --version \
  && export LARDER_DATA_DIR=/tmp/start LARDER_PORT=0 && timeout --preserve-status 30 node bin/larder.mjs serve \
  && if [ -d node_modules/sharp ]; then echo iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg== | base64 -d > /tmp/start/pixel.png && node bin/larder.mjs recognize /tmp/start/pixel.png; fi \
  && rm -rf /tmp/start
RUN mkdir /data && chown node:node /data
# The user `node`, by number so that Kubernetes can see that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 8080
# A service answers at the one port, a worker at the other.
ENV LARDER_WORKER_PORT=8081
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; const alive = (address) => fetch(address + '/healthz').then((r) => r.ok || Promise.reject()); Promise.any([(process.env.LARDER_TLS_CERT ? 'https' : 'http') + '://127.0.0.1:' + (process.env.LARDER_PORT || 8080), 'http://127.0.0.1:' + process.env.LARDER_WORKER_PORT].map(alive)).then(() => process.exit(0), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/larder.mjs"]
CMD ["serve"]
