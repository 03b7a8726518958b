// The page about hosted code: arguments, answers, globals, limits and templates. In French; names are those of JavaScript.
import type { Route } from '../../server/route.ts'
import { type Html, html } from '../html.ts'
import { ABSENT, ARGS_FIELDS, CONTEXT_FIELDS, DUE_FIELDS, GLOBALS, REFUSED_FIELDS, RUN_LIMITS, TRIED_PACKAGES } from './code-guide.ts'
import { CODE_TEMPLATES } from './code-templates.ts'
import { facts, heading } from './dashboard-parts.ts'
import { type DashboardParts, pageRow } from './visit.ts'

export function codeGuideRows(parts: DashboardParts): readonly Route[] {
  const guide = guideOf()
  return [
    pageRow(parts, {
      path: '/code',
      operationId: 'showCodeGuide',
      summary: 'What hosted code has',
      show: (visit) => {
        const body = html`${heading('Code hébergé', html`<a class="button quiet" href="${visit.to('biller')}#produits">Produits</a>`)}
${guide}`
        visit.show({ title: 'Code hébergé', place: 'biller', body })
      },
    }),
  ]
}

/** A list instead of `facts`: names of fields do not fit into a column of a phone. */
const fields = (rows: readonly (readonly [string, string])[]): Html =>
  html`<ul>${rows.map(([name, words]) => html`<li><code>${name}</code>\u00a0: ${words}</li>`)}</ul>`

function names(list: readonly string[]): Html {
  return html`${list.map((name, at) => html`${at > 0 && ', '}<code>${name}</code>`)}`
}

function guideOf(): Html {
  const { seconds, fetches, fetchKilobytes, crossingKilobytes, megabytes, logLines } = RUN_LIMITS
  return html`<p>Votre code est écrit pour Node.js 18, en un seul texte. Nous l’exécutons pour vous : <code>lookup(args)</code> dit ce qu’un client doit payer, <code>onPaid(ctx)</code> livre ce qui est payé. Les deux peuvent être asynchrones.</p>
<section class="card"><h2>lookup(args)</h2><h3>Ce que args contient</h3>${fields(ARGS_FIELDS)}
<h3>Réponse : un montant est dû</h3>${fields(DUE_FIELDS)}
<h3>Réponse : rien ne peut être payé</h3>${fields(REFUSED_FIELDS)}
<p>Une erreur dans le code : le client lit que la consultation est indisponible. Rien n’est débité.</p></section>
<section class="card"><h2>onPaid(ctx)</h2><h3>Ce que ctx contient</h3>${fields(CONTEXT_FIELDS)}
<p>Ce que la fonction rend n’est pas gardé. Une erreur n’annule pas le paiement : elle est écrite avec lui, et vous pouvez relancer la livraison. Vérifiez <code>transaction_id</code> pour ne rien livrer deux fois.</p></section>
<section class="card"><h2>Ce qu’il y a</h2>
${GLOBALS.map((group) => html`<h3>${group.title}</h3><p>${names(group.names)}. ${group.words}</p>`)}</section>
<section class="card"><h2>Ce qu’il n’y a pas</h2><ul>
${ABSENT.map((row) => html`<li>${row.words}${row.names.length > 0 && html` ${names(row.names)}.`}</li>`)}</ul></section>
<section class="card"><h2>Paquets essayés</h2><p>Ces paquets npm sans dépendance fonctionnent tels quels, collés dans votre code : ${names(TRIED_PACKAGES)}.</p></section>
<section class="card"><h2>Limites d’une exécution</h2>${facts([
    ['Durée', `${seconds} secondes en tout, réseau compris`],
    ['Appels', `${fetches} fetch, ${fetchKilobytes} Ko dans chaque sens`],
    ['Code, arguments, résultat', `${crossingKilobytes} Ko chacun`],
    ['Mémoire', `${megabytes} Mo`],
    ['Journal', `${logLines} lignes`],
  ])}</section>
<section><h2>Modèles</h2>
${CODE_TEMPLATES.map(({ entry, title, code }) => html`<details class="operation"><summary><code>${entry}</code> ${title}</summary><pre tabindex="0">${code}</pre></details>`)}</section>`
}
