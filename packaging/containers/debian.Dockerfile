# hone on Debian, for CPUs. From the repository's root:
#   docker build -f packaging/containers/debian.Dockerfile -t hone .
#   docker run --rm -v "$PWD:/work" hone train config.yaml
FROM debian:12 AS build
RUN apt-get update && apt-get install -y --no-install-recommends git
WORKDIR /hone
COPY . .
RUN ./run package

FROM debian:12-slim
RUN --mount=type=bind,from=build,source=/hone/build/package/deb,target=/deb \
    apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates /deb/*.deb \
    && rm -rf /var/lib/apt/lists/*
ENV PATH=/usr/lib/hone/compat:$PATH
WORKDIR /work
ENTRYPOINT ["hone"]
CMD ["help"]
