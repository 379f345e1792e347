# Both bases can be pinned by digest: --build-arg BUILD_IMAGE=node:26-trixie-slim@sha256:… --build-arg RUNTIME_IMAGE=…
# They have to be of one Debian release: node and a library of it go from the first into the second.
ARG BUILD_IMAGE=node:26-trixie-slim
ARG RUNTIME_IMAGE=gcr.io/distroless/cc-debian13:nonroot

FROM ${BUILD_IMAGE} AS build
WORKDIR /app
RUN command -v strip || { apt-get update && apt-get install -y --no-install-recommends binutils; }
COPY package.json package-lock.json ./
RUN ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
COPY packaging packaging
COPY rules rules
COPY src src
RUN ["node", "packaging/bundle.ts"]
# The bill of materials (CycloneDX).
RUN ["node", "packaging/bill-main.ts", "sbom.cdx.json"]
# A fifth of node are names for debuggers.
RUN mkdir -p /image/usr/local/bin /image/usr/lib /image/app/dist /image/run /image/var/lib && \
    strip --strip-all -o /image/usr/local/bin/node /usr/local/bin/node && \
    # Node needs it from 25 on, and the other base does not have it (https://github.com/GoogleContainerTools/distroless/issues/1981).
    # Its folder is named after the processor.
    cp -L /usr/lib/*-linux-gnu/libatomic.so.1 /image/usr/lib/ && \
    cp -R dist/program dist/cache /image/app/dist/ && \
    cp package.json sbom.cdx.json /image/app/
COPY LICENSE /image/app/

FROM ${RUNTIME_IMAGE}
ARG VERSION=
ARG REVISION=
LABEL org.opencontainers.image.title="enginebridge" \
      org.opencontainers.image.description="Lets any client of the container Engine API talk to any engine" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.base.name="gcr.io/distroless/cc-debian13:nonroot" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
COPY --from=build /image/ /
# 65532 is `nonroot` of the distroless images; give it the engine's group with --group-add. The other base has no shell to make
# these: where the socket is, and where --state is.
COPY --from=build --chown=65532:65532 /image/run /run/enginebridge
COPY --from=build --chown=65532:65532 /image/var/lib /var/lib/enginebridge
WORKDIR /app
USER 65532:65532
# Compiled code, from the build: a sixth of a start. Nothing writes there.
ENV NODE_COMPILE_CACHE=/app/dist/cache
ENV ENGINEBRIDGE_LISTEN=unix:///run/enginebridge/docker.sock
# The flags of bin/enginebridge, where they are explained.
ENTRYPOINT ["/usr/local/bin/node", "--disable-warning=DEP0060", "--disable-sigusr1", "--max-semi-space-size=2", "--no-concurrent-recompilation", "/app/dist/program/main.js"]
CMD ["serve"]
HEALTHCHECK --interval=30s --timeout=6s --start-period=5s CMD ["/usr/local/bin/node", "--disable-warning=DEP0060", "--disable-sigusr1", "--max-semi-space-size=2", "--no-concurrent-recompilation", "/app/dist/program/main.js", "health"]
