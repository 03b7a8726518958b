// Reasons why `/healthz` answers 503, each with the text that an operator reads in the answer.

export type Trouble =
  | 'recovering'
  | 'stopping'
  | 'disk_full'
  | 'log_stopped'
  | 'lagging'
  | 'log_unreadable'
  | 'append_waits'
  | NodeTroubleCode

/** Reasons of a node in a cluster. */
export type NodeTroubleCode = 'clock_wrong' | 'postgres_away' | 'postgres_waits' | 'owner_unreachable' | 'secret_rejected'

export interface NodeTrouble {
  readonly code: NodeTroubleCode
  readonly measuredMs: number
}

/** French, as all messages of the API. `{s}` is the measured number of seconds. */
const TEXTS: Readonly<Record<Trouble, string>> = {
  recovering:
    'Le nœud démarre : il relit son journal ou, dans un cluster, le copie de PostgreSQL. Attendez ; la trace « listening » indique la fin.',
  stopping: 'Le nœud s’arrête. Un autre nœud ou son redémarrage prend la suite.',
  disk_full: 'Le disque de DATA_DIR est presque plein : les écritures sont refusées. Libérez de la place ; elles reprennent seules.',
  log_stopped: 'Le journal refuse les écritures après une erreur. La trace donne la cause ; réparez-la, puis redémarrez.',
  lagging: 'Le nœud suit le journal avec {s} s de retard (maximum 10 s). Vérifiez qu’il joint PostgreSQL et que son disque suit.',
  log_unreadable: 'Le journal ne peut pas être lu. Vérifiez le disque de DATA_DIR ; la trace donne l’erreur.',
  append_waits:
    'Une écriture attend le disque de DATA_DIR depuis {s} s (maximum 2 s). Vérifiez ce disque : rien n’est acquitté entre-temps.',
  clock_wrong:
    'L’horloge de cette machine s’écarte de {s} s de celle de PostgreSQL (maximum 10 s) : le nœud ne possède pas le journal. Synchronisez-la.',
  postgres_away: 'PostgreSQL ne répond pas à ce nœud depuis {s} s. Vérifiez ses serveurs et le réseau ; le nœud reprend seul.',
  postgres_waits:
    'Une écriture attend PostgreSQL depuis {s} s (maximum 2 s) : son serveur synchrone ne l’a pas confirmée. Vérifiez-le ; les lectures continuent.',
  owner_unreachable:
    'Le nœud ne joint pas le propriétaire du journal depuis {s} s : ses écritures échouent. Vérifiez le NODE_URL du propriétaire et le réseau.',
  secret_rejected:
    'Le propriétaire du journal refuse les requêtes de ce nœud depuis {s} s. Comparez CLUSTER_SECRET et les NODE_URL des deux nœuds.',
}

/** Returns the text of the answer. `measuredMs` is the lag or the wait. */
export function troubleText(trouble: Trouble, measuredMs = 0): string {
  return TEXTS[trouble].replace('{s}', String(Math.floor(measuredMs / 1000)))
}
