// English of what the desk says about nodes that are in trouble.
import type { Entries } from '../catalogue.ts'

export const DESK_NODE_TEXTS: Entries = {
  'Écritures au journal': 'Writes to the log',
  'Le nœud {0} {1}': 'Node {0} {1}',
  'a une horloge fausse de plus de 10 s : il ne possède pas le journal. Synchronisez l’horloge de sa machine.':
    'has a clock that is wrong by more than 10 s: it does not own the log. Synchronize the clock of its machine.',
  'ne joint pas le propriétaire : ses écritures échouent. Vérifiez le NODE_URL du propriétaire et le réseau.':
    'does not reach the owner: its writes fail. Check NODE_URL of the owner and the network.',
  'est refusé par le propriétaire. Comparez CLUSTER_SECRET et les NODE_URL des deux nœuds.':
    'is rejected by the owner. Compare CLUSTER_SECRET and NODE_URL of both nodes.',
  'L’horloge du nœud {0} s’écarte de {1} de celle de PostgreSQL. Au-delà de 10 s, il ne possède plus le journal.':
    "The clock of node {0} differs from PostgreSQL's by {1}. Beyond 10 s it no longer owns the log.",
}
