// Where the figures of `/metrics` come from.
import type { OpenDataFolder } from '../../wal/folder/open-folder.ts'
import { isHealthyNow } from '../api/health/health-routes.ts'
import { partsOf } from '../api/operator/served-quotas.ts'
import type { HttpServer } from '../server/http-server.ts'
import type { RateLimiter } from '../server/rate-limit.ts'
import type { RequestWatch } from '../server/request-watch.ts'
import type { ApplicationContext } from './application-context.ts'
import type { MeteredLog } from './metered-log.ts'
import type { MetricSources } from './metrics.ts'
import type { OpenedParts } from './opened-parts.ts'

export interface SourceParts {
  readonly context: ApplicationContext
  readonly folder: OpenDataFolder
  readonly log: MeteredLog
  readonly watch: RequestWatch
  readonly rateLimiter: RateLimiter
  readonly server: () => HttpServer
}

export function metricSources(opened: OpenedParts, { context, folder, log, watch, rateLimiter, server }: SourceParts): MetricSources {
  return {
    endpoints: () => server().endpoints,
    server,
    figures: () => opened.engine?.query('engine.figures', null),
    quotas: () => {
      const figures = partsOf(context.quotas).map(({ quota, part }) => ({ name: quota.name, ...part }))
      return [...(opened.engine?.query('quotas.figures', null) ?? []), ...figures]
    },
    outside: () => opened.outside,
    watch,
    rateLimiter,
    log,
    archive: folder.archive,
    disk: () => folder.disk(),
    cluster: () => opened.cluster?.figures() ?? null,
    isHealthy: () => isHealthyNow(context, log.oldestAppendMs),
    sandbox: () => opened.sandbox,
    unrecordedRuns: () => opened.outside?.code.unrecorded,
  }
}
