# `unisono serve` in a container; docs/web.md shows how to run it behind a server with TLS.

FROM python:3.12-slim-bookworm AS build
# Without versions, so that security updates are installed.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends g++ ninja-build \
    && rm -rf /var/lib/apt/lists/*
RUN python -m venv /opt/unisono
COPY . /src
RUN /opt/unisono/bin/python -m pip install --no-cache-dir "/src[plot,web]"

FROM python:3.12-slim-bookworm
# The fonts are for the charts of reports.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends fonts-dejavu-core \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --no-create-home --shell /usr/sbin/nologin --uid 10001 unisono
COPY --from=build /opt/unisono /opt/unisono
ENV PATH=/opt/unisono/bin:$PATH \
    PYTHONUNBUFFERED=1
USER 10001
WORKDIR /tmp
EXPOSE 8000
# Uploads are kept below /tmp, the only folder that must be writable.
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health', timeout=4)"]
ENTRYPOINT ["unisono"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
