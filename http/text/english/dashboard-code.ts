// English of the dashboard: the guide to hosted code, the API page.
import type { Entries } from '../catalogue.ts'

export const DASHBOARD_CODE_TEXTS: Entries = {
  'Paquets essayés': 'Packages that were tried',
  'Ces paquets npm sans dépendance fonctionnent tels quels, collés dans votre code : {0}.':
    'These npm packages without dependencies run unchanged, pasted into your code: {0}.',
  'Code hébergé': 'Hosted code',
  'Votre code est écrit pour Node.js 18, en un seul texte. Nous l’exécutons pour vous : <1>lookup(args)</1> dit ce qu’un client doit payer, <2>onPaid(ctx)</2> livre ce qui est payé. Les deux peuvent être asynchrones.':
    'Your code is written for Node.js 18, as one text. We run it for you: <1>lookup(args)</1> says what a customer has to pay, <2>onPaid(ctx)</2> delivers what is paid. Both may be asynchronous.',
  'Ce que args contient': 'What args contains',
  'Réponse : un montant est dû': 'Answer: an amount is due',
  'Réponse : rien ne peut être payé': 'Answer: nothing can be paid',
  'Une erreur dans le code : le client lit que la consultation est indisponible. Rien n’est débité.':
    'An error in the code: the customer reads that the lookup is unavailable. Nothing is debited.',
  'Ce que ctx contient': 'What ctx contains',
  'Ce que la fonction rend n’est pas gardé. Une erreur n’annule pas le paiement : elle est écrite avec lui, et vous pouvez relancer la livraison. Vérifiez <1>transaction_id</1> pour ne rien livrer deux fois.':
    'What the function returns is not kept. An error does not cancel the payment: it is stored with it, and you can start the delivery again. Check <1>transaction_id</1> to deliver nothing twice.',
  'Ce qu’il y a': 'What there is',
  'Ce qu’il n’y a pas': 'What there is not',
  'Limites d’une exécution': 'Limits of a run',
  Modèles: 'Templates',
  '{0} secondes en tout, réseau compris': '{0} seconds in all, with the network',
  Appels: 'Calls',
  '{0} fetch, {1} Ko dans chaque sens': '{0} fetch, {1} KB each way',
  'Code, arguments, résultat': 'Code, arguments, result',
  '{0} Ko chacun': '{0} KB each',
  Mémoire: 'Memory',
  Journal: 'Log',
  'identifiant du produit': 'identifier of the product',
  'ce que le client a saisi, par identifiant de champ ; toujours du texte': 'what the customer typed, by field identifier; always text',
  'identifiant de cette demande': 'identifier of this request',
  'heure de la demande, en secondes Unix': 'time of the request, in Unix seconds',
  'identifiant du facturier': 'identifier of the biller',
  'montant payé, en francs': 'paid amount, in francs',
  'référence donnée par la consultation ; vide sans consultation': 'reference given by the lookup; empty without a lookup',
  'ce que le client a saisi, par identifiant de champ': 'what the customer typed, by field identifier',
  'identifiant du paiement : une livraison répétée porte le même': 'identifier of the payment: a repeated delivery has the same',
  'identifiant de l’encaissement': 'identifier of the charge',
  'votre identifiant': 'your identifier',
  'heure du paiement, en secondes Unix': 'time of the payment, in Unix seconds',
  'true : il y a un montant à payer': 'true: there is an amount to pay',
  'montant dû, entier, en francs': 'amount due, whole, in francs',
  'XOF, ou absent': 'XOF, or absent',
  'objet de la facture': 'purpose of the bill',
  'nom sur la facture': 'name on the bill',
  'votre référence, rendue à onPaid': 'your reference, given back to onPaid',
  'lignes {label, amount} dont la somme est amount': 'lines {label, amount} whose sum is amount',
  'false : rien ne peut être payé': 'false: nothing can be paid',
  'raison en français, montrée au client': 'reason in French, shown to the customer',
  Réseau: 'Network',
  'HTTPS vers toute adresse publique, sur tout port ; les corps sont entiers, et body les lit aussi en flux (stream).':
    'HTTPS to any public address, on any port; bodies are whole, and body reads them as streams too.',
  Flux: 'Streams',
  'Response.body et Blob.stream() ; une requête qui envoie un flux demande duplex: "half".':
    'Response.body and Blob.stream(); a request that sends a stream needs duplex: "half".',
  'Texte et octets': 'Text and bytes',
  'TextDecoder lit UTF-8, UTF-16 et windows-1252 (ISO-8859-1).': 'TextDecoder reads UTF-8, UTF-16 and windows-1252 (ISO-8859-1).',
  Cryptographie: 'Cryptography',
  'randomUUID, getRandomValues et subtle : SHA-1 à SHA-512, HMAC, AES-GCM et AES-CBC, RSA jusqu’à 4 096 bits, ECDSA, Ed25519, PBKDF2 jusqu’à 200 000 tours, HKDF ; 1 Mo de données par opération.':
    'randomUUID, getRandomValues and subtle: SHA-1 to SHA-512, HMAC, AES-GCM and AES-CBC, RSA up to 4,096 bits, ECDSA, Ed25519, PBKDF2 up to 200,000 rounds, HKDF; 1 MB of data per operation.',
  Temps: 'Time',
  'L’heure est en UTC ; 100 minuteurs au plus à la fois.': 'The time is UTC; 100 timers at most at once.',
  'Langue et nombres': 'Language and numbers',
  'Nombres, dates, pluriels, tri, listes et durées dans toutes les langues ; toLocaleString et localeCompare aussi.':
    'Numbers, dates, plurals, sorting, lists and durations in all languages; toLocaleString and localeCompare too.',
  'Le reste': 'The rest',
  'console écrit dans le journal d’exécution ; process.env est vide ; require explique quoi prendre à la place.':
    'console writes to the run log; process.env is empty; require explains what to use instead.',
  'Les modules : require et import échouent toujours. Collez le texte d’un paquet sans dépendance, 64 Ko en tout.':
    'Modules: require and import always fail. Paste the text of a package without dependencies, 64 KB in all.',
  'Les fichiers, les processus, les variables d’environnement, les sockets : fetch est le seul chemin vers le réseau.':
    'Files, processes, environment variables, sockets: fetch is the only way to the network.',
  'La compression.': 'Compression.',
  'Les canaux entre fils.': 'Channels between threads.',
  'WebAssembly, les fils et la mémoire partagée entre fils.': 'WebAssembly, threads and shared memory.',
  'Chaque route mène à sa page de la <1>référence</1> : requête, champs, réponse et erreurs.':
    'Each route leads to its page of the <1>reference</1>: request, fields, response and errors.',
  '<1>Créer une clé</1> : sa clé publique est API_KEY, son secret API_SECRET.':
    '<1>Create a key</1>: its public key is API_KEY, its secret API_SECRET.',
  Clés: 'Keys',
  'Premier appel': 'First call',
  '<1>Documentation</1> : premiers pas, guides et exemples en curl, Node.js, Python et PHP.':
    '<1>Documentation</1>: quickstart, guides and examples in curl, Node.js, Python and PHP.',
  'Filtrer les opérations': 'Filter the operations',
  'charges, refund, POST…': 'charges, refund, POST…',
}
