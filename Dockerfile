# vehi with its models, for `vehi serve` and, given arguments, any other command. Runs as nobody special (uid 1000) and
# writes only to /data and /tmp, so it works with a read-only root file system:
#
#   docker build -t vehi .
#   docker run --rm --read-only --tmpfs /tmp -v "$PWD/photos:/photos:ro" vehi inspect /photos
#   docker run -d --read-only --tmpfs /tmp -v vehi-data:/data -p 127.0.0.1:8080:8080 vehi

# Debian, not Alpine: onnxruntime-node is built against glibc.
ARG NODE_IMAGE=node:22-bookworm-slim

FROM ${NODE_IMAGE} AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# onnxruntime-node carries the libraries of every system; only those of this one are kept.
# What only several machines need is optional elsewhere and in every image.
RUN npm ci --omit=dev --no-audit --no-fund \
  && npm i --no-save --omit=dev --no-audit --no-fund $(node -p "Object.entries(require('./package.json').peerDependencies).map((peer) => peer.join('@')).join(' ')") \
  && find node_modules/onnxruntime-node/bin -mindepth 2 -maxdepth 2 -type d ! -name linux -exec rm -r {} + \
  && find node_modules/onnxruntime-node/bin -mindepth 3 -maxdepth 3 -type d ! -name "$(node -p process.arch)" -exec rm -r {} +

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY tsconfig.json vite.config.ts ./
COPY bin ./bin
COPY src ./src
COPY scripts ./scripts
RUN npm run -s bundle

FROM ${NODE_IMAGE}
LABEL org.opencontainers.image.title="vehi" \
  org.opencontainers.image.description="Inspects photos of a vehicle: finds damage, grades the vehicle, prices the repair." \
  org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production \
  VEHI_DATA_DIR=/data \
  VEHI_HEALTH_URL=http://127.0.0.1:8080/healthz \
  MALLOC_ARENA_MAX=2 \
  MALLOC_MMAP_THRESHOLD_=1048576
WORKDIR /app
COPY package.json LICENSE NOTICE README.md CHANGELOG.md ./
COPY --from=dependencies /app/node_modules ./node_modules
COPY bin ./bin
COPY models ./models
COPY fixtures/vehicle/*.jpg fixtures/vehicle/vehi.json ./fixtures/vehicle/
COPY --from=build /app/dist ./dist
COPY --from=build /app/THIRD-PARTY.txt ./
# /work is where relative paths of mounted photos and outputs begin.
RUN mkdir /data /work && chown 1000:1000 /data /work \
  && chmod 755 /app/bin/vehi.js && ln -s /app/bin/vehi.js /usr/local/bin/vehi
WORKDIR /work
# By number, so that a cluster can see that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(process.env.VEHI_HEALTH_URL).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/bin/vehi.js"]
CMD ["serve", "--host", "0.0.0.0"]
