FROM node:22.21.1-bookworm-slim AS packages
WORKDIR /app
COPY .npmrc package.json package-lock.json ./
COPY http/client/package.json ./http/client/
# The HTTP server's package brings binaries for every platform: one is enough.
RUN npm ci --omit=dev \
 && find node_modules/uWebSockets.js/dist/bin -name '*.node' \
      ! -name "$(node -p '`uws_${process.platform}_${process.arch}_${process.versions.modules}.node`')" -delete

FROM node:22.21.1-bookworm-slim AS build
WORKDIR /app
COPY .npmrc package.json package-lock.json tsconfig.json ./
COPY http/client/package.json ./http/client/
RUN npm ci
COPY engine ./engine
COPY http ./http
COPY sandbox-pool ./sandbox-pool
COPY wal ./wal
RUN npm run build

FROM node:22.21.1-bookworm-slim
# malloc asks for huge pages, as in `npm start`: a new key touches one line in each filter of the index.
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=8080 \
    DATA_DIR=/data \
    GLIBC_TUNABLES=glibc.malloc.hugetlb=1
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json ./
COPY --from=build /app/dist ./dist
# `npm run verify`, `backup`, `restore`, `log-copy` and `rotate-master-key` run the built programs here: the image has no sources.
RUN for name in verify backup restore log-copy rotate-master-key; do npm pkg set "scripts.$name=node dist/$name-command.js"; done
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
# Required at the start, because they have no safe default: MASTER_KEY, BASE_URL.
# The server answers what is in flight, flushes and exits within ten seconds of it.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`, { signal: AbortSignal.timeout(2000) }).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Semi-spaces of 64 MB: with V8's 16 MB a record is copied twice by the collector while it waits for the disk.
# The heap grows to three times of what lives before a mark-sweep, also after a pause: by default V8 sinks the limit to what lives plus
# 9 MB when the server is idle, and then marks every second under load.
CMD ["node", "--max-semi-space-size=64", "--no-memory-reducer", "--heap-growing-percent=200", "--enable-source-maps", "dist/main.js"]
