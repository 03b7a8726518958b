// The pages of the shop, as customers read them.
const STATES = { pending: 'En attente du paiement', paid: 'Payée', refunded: 'Remboursée' }
const ESCAPED = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

export function homePage(products, orders) {
  const offers = products.map(
    ({ id, name, amount }) =>
      `<li>${text(name)}, ${francs(amount)} <form method="post" action="/orders"><button name="product" value="${text(id)}">Acheter</button></form></li>`,
  )
  const rows = orders.map((order) => `<li><a href="/orders/${order.id}">${order.id}</a> : ${STATES[order.state]}</li>`)
  return layout('Boutique', `<ul>${offers.join('')}</ul><h2>Commandes</h2><ul>${rows.join('')}</ul>`)
}

/** A pending order asks again: the webhook may come after the customer. */
export function orderPage({ id, product, state }) {
  const again = state === 'pending' ? '<meta http-equiv="refresh" content="2">' : ''
  const button = state === 'paid' ? `<form method="post" action="/orders/${id}/refund"><button>Rembourser</button></form>` : ''
  return layout(`Commande ${id}`, `${again}<p>${text(product.name)}, ${francs(product.amount)}</p><p>${STATES[state]}</p>${button}`)
}

function layout(title, body) {
  return `<!doctype html><html lang="fr"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>${body}</html>`
}

function francs(amount) {
  return `${amount.toLocaleString('fr-FR')} F CFA`
}

function text(value) {
  return value.replaceAll(/[&<>"]/g, (character) => ESCAPED[character])
}
