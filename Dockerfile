# The official Node image; nothing has to be built or downloaded beside the npm packages.
FROM node:24-bookworm-slim AS install
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Optional packages hold the binaries for this platform, so they are installed; what is taken away again is the Node that
# npm brings along, since the image has one, and what is for other systems.
RUN npm ci --omit=dev \
  && rm -rf node_modules/node-linux-* node_modules/node-win-* \
    node_modules/onnxruntime-node/bin/*/darwin node_modules/onnxruntime-node/bin/*/win32

FROM node:24-bookworm-slim
ENV NODE_ENV=production LARDER_HOST=0.0.0.0 LARDER_DATA_DIR=/data
WORKDIR /app
COPY --from=install /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY bin ./bin
COPY models ./models
COPY src ./src
# Compiles what a container, which writes nothing here, would compile anew at each start.
RUN node bin/larder.mjs --version
RUN mkdir /data && chown node:node /data
# The user `node`, by number so that Kubernetes can see that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 8080
# A service answers at the one port, a worker at the other.
ENV LARDER_WORKER_PORT=8081
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "const alive = (port) => fetch('http://127.0.0.1:' + port + '/healthz').then((r) => r.ok || Promise.reject()); Promise.any([process.env.LARDER_PORT || 8080, process.env.LARDER_WORKER_PORT].map(alive)).then(() => process.exit(0), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/larder.mjs"]
CMD ["serve"]
