# The front end is built by Node, which the finished image does not contain.
FROM node:24-slim AS frontend
WORKDIR /assay/frontend
COPY frontend/package.json frontend/package-lock.json frontend/.npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY frontend/build.mjs frontend/bundles.mjs frontend/tsconfig.json ./
COPY frontend/src src
RUN node build.mjs

FROM python:3.13-slim AS assay
ENV PYTHONUNBUFFERED=1 ASSAY_STATIC_ROOT=/assay/staticfiles ASSAY_DATA_DIR=/data ASSAY_WORDNET=/usr/share/wordnet
# WordNet, for METEOR's synonyms: its licence is in /usr/share/doc/wordnet-base/copyright.
RUN apt-get update && apt-get install --yes --no-install-recommends wordnet-base && rm -rf /var/lib/apt/lists/*
WORKDIR /assay
COPY requirements.txt ./
RUN pip install --no-cache-dir --require-hashes --requirement requirements.txt
# For BLEU in Japanese and Korean, and by pieces of words: --build-arg tokenizers=yes
ARG tokenizers=
COPY requirements-tokenizers.txt ./
RUN test -z "$tokenizers" || pip install --no-cache-dir --require-hashes --requirement requirements-tokenizers.txt

# For files in an object store: --build-arg object_store=yes
ARG object_store=
COPY requirements-object-store.txt ./
RUN test -z "$object_store" || pip install --no-cache-dir --require-hashes --requirement requirements-object-store.txt
COPY manage.py LICENSE ./
COPY annotation annotation
COPY campaigns campaigns
COPY config config
COPY demo demo
COPY exchange exchange
COPY frontend frontend
COPY jobs jobs
COPY locale locale
COPY metrics metrics
COPY --from=frontend /assay/frontend/static frontend/static
RUN export ASSAY_PRODUCTION=true ASSAY_SECRET_KEY=not-kept-in-the-image \
    && python manage.py compile_words && python manage.py collectstatic --no-input \
    && chmod --recursive a+rX locale "$ASSAY_STATIC_ROOT"
# the compose file names the number; it is what `useradd --system` gave before it was written down
RUN groupadd --system --gid 999 assay && useradd --system --uid 999 --gid 999 assay \
    && install --directory --owner assay --group assay --mode 0700 /data /data/tmp /data/cache /data/models
# the rest of a container is read-only
ENV TMPDIR=/data/tmp HOME=/data/cache XDG_CACHE_HOME=/data/cache HF_HOME=/data/models
USER assay
VOLUME /data
EXPOSE 8000

# The worker of neural metrics: the same application, and a second environment with the heavy libraries, which need an
# older Python. On the processor alone; with PyTorch's CUDA build: --build-arg gpu=yes
FROM python:3.12-slim AS assay-neural
ENV PYTHONUNBUFFERED=1 ASSAY_STATIC_ROOT=/assay/staticfiles ASSAY_DATA_DIR=/data ASSAY_WORDNET=/usr/share/wordnet
WORKDIR /assay
COPY requirements.txt requirements-uv.txt requirements-neural.txt ./
RUN pip install --no-cache-dir --require-hashes --requirement requirements.txt \
    && pip install --no-cache-dir --require-hashes --requirement requirements-uv.txt
COPY bootstrap bootstrap
ARG gpu=
RUN python -c "from bootstrap.neural_environment import prepare; prepare(cpu='$gpu' == '')" && rm -rf /root/.cache
COPY --from=assay /usr/share/wordnet /usr/share/wordnet
COPY --from=assay /usr/share/doc/wordnet-base /usr/share/doc/wordnet-base
COPY --from=assay /assay /assay
COPY neural_worker neural_worker
RUN groupadd --system --gid 999 assay && useradd --system --uid 999 --gid 999 assay \
    && install --directory --owner assay --group assay --mode 0700 /data /data/tmp /data/cache /data/models
ENV TMPDIR=/data/tmp HOME=/data/cache XDG_CACHE_HOME=/data/cache HF_HOME=/data/models
USER assay
VOLUME /data

# Without a name of a target: the application.
FROM assay
