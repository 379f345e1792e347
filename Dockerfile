# Both bases can be pinned by digest: --build-arg BUILD_IMAGE=node:26-trixie-slim@sha256:… --build-arg RUNTIME_IMAGE=…
# They have to be of one Debian release: node and a library of it go from the first into the second.
ARG BUILD_IMAGE=node:26-trixie-slim
ARG RUNTIME_IMAGE=gcr.io/distroless/cc-debian13:nonroot

FROM ${BUILD_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
COPY tsconfig.json tsconfig.build.json bundle.ts ./
COPY rules rules
COPY src src
RUN ["npm", "run", "bundle"]
# The image has a Node of its own: the pinned runtime packages and the tools stay behind.
RUN ["npm", "prune", "--omit=dev", "--omit=optional", "--ignore-scripts"]
# The bill of materials (CycloneDX). npm leaves out what a development package needs as well, unless none is named.
RUN npm pkg delete devDependencies optionalDependencies && npm sbom --sbom-format cyclonedx > sbom.cdx.json
# Where --state is: the other base has no shell to make it.
RUN ["mkdir", "/state"]
# Node needs it from 25 on, and the other base does not have it (https://github.com/GoogleContainerTools/distroless/issues/1981).
# Its folder is named after the processor.
RUN cp -L /usr/lib/*-linux-gnu/libatomic.so.1 /usr/local/lib/

FROM ${RUNTIME_IMAGE}
COPY --from=build /usr/local/lib/libatomic.so.1 /usr/lib/
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY package.json LICENSE /app/
COPY --from=build /app/sbom.cdx.json /app/
COPY --from=build /app/node_modules /app/node_modules
COPY --from=build /app/dist /app/dist
COPY --from=build --chown=65532:65532 /state /var/lib/enginebridge
WORKDIR /app
# 65532 is `nonroot` of the distroless images; give it the engine's group with --group-add.
USER 65532:65532
# Compiled code, from the build: a sixth of a start. Nothing writes there.
ENV NODE_COMPILE_CACHE=/app/dist/cache
ENV ENGINEBRIDGE_LISTEN=unix:///run/enginebridge/docker.sock
# The flags of bin/enginebridge, where they are explained.
ENTRYPOINT ["/usr/local/bin/node", "--disable-warning=DEP0060", "--max-semi-space-size=8", "/app/dist/program/main.js"]
CMD ["serve"]
HEALTHCHECK --interval=30s --timeout=6s --start-period=5s CMD ["/usr/local/bin/node", "--disable-warning=DEP0060", "--max-semi-space-size=8", "/app/dist/program/main.js", "health"]
