# hone on AMD's ROCm image. From the repository's root:
#   docker build -f packaging/containers/rocm.Dockerfile -t hone-rocm .
# and with docker compose, which passes the devices: see packaging/containers/compose.yaml.
# An image of another ROCm version: --build-arg ROCM_IMAGE=rocm/dev-ubuntu-24.04:7.0-complete
ARG ROCM_IMAGE=rocm/dev-ubuntu-24.04:6.4-complete
FROM ${ROCM_IMAGE}
USER root
RUN apt-get update && apt-get install -y --no-install-recommends git
WORKDIR /hone
COPY . .
RUN ./run package \
    && apt-get install -y --no-install-recommends ./build/package/deb/*.deb \
    && rm -rf /hone /var/lib/apt/lists/*
ENV PATH=/usr/lib/hone/compat:$PATH
WORKDIR /work
ENTRYPOINT ["hone"]
CMD ["doctor"]
