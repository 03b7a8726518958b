# A host of the page "Several hosts" as a container: etcd and PostgreSQL under Patroni, from Debian's packages.
FROM debian:12.11-slim
RUN mkdir -p /etc/postgresql-common && echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.conf \
 && apt-get update && apt-get install -y --no-install-recommends postgresql etcd-server patroni python3-etcd python3-idna \
 && rm -rf /var/lib/apt/lists/*
COPY container.sh etcd.env patroni.yaml /usr/local/share/cauri/
COPY --chmod=755 database.sh /etc/patroni/database.sh
CMD ["bash", "/usr/local/share/cauri/container.sh"]
