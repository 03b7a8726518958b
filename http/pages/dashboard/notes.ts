// Messages after a form. The address has a keyword, and this file has its text, so that no text of an address is shown.

/** What a page says instead of the text below: its colour follows the outcome, not the form that was sent. */
export interface Outcome {
  readonly words: string
  readonly tone: 'good' | 'wait' | 'bad'
}

const NOTES: Readonly<Record<string, string>> = {
  welcome: 'Bienvenue ! Votre compte est créé. Vous êtes dans l’environnement de test : essayez tout, rien n’est réel.',
  charge_created: 'La demande de paiement est créée.',
  charge_cancelled: 'La demande de paiement est annulée.',
  charge_refunded: 'Le paiement est remboursé.',
  link_created: 'Le lien de paiement est créé.',
  link_closed: 'Le lien de paiement est fermé.',
  mandate_created: 'La demande est envoyée : le client donne son accord dans l’application ou par le lien.',
  mandate_cancelled: 'L’autorisation est annulée : plus rien ne sera prélevé.',
  mandate_charged: 'Le paiement est prélevé.',
  mandate_tried: 'Le prélèvement est tenté : son résultat est dans la liste des paiements.',
  bill_redelivered: 'La livraison est relancée.',
  bill_refunded: 'La facture est remboursée.',
  top_up_created: 'L’approvisionnement est annoncé. Envoyez maintenant l’argent.',
  top_up_cancelled: 'L’approvisionnement est annulé.',
  top_up_confirmed: 'Le solde de test est crédité.',
  withdrawal_created: 'Le retrait est demandé : le montant est réservé.',
  withdrawal_cancelled: 'Le retrait est annulé : le montant est de nouveau disponible.',
  withdrawal_paid: 'Le retrait de test est payé.',
  activation_requested: 'Votre demande d’activation est envoyée.',
  payout_done: 'Le versement est traité.',
  batch_done: 'Le versement groupé est traité.',
  batches_done: 'Toutes les lignes sont traitées.',
  schedule_created: 'Le versement programmé est enregistré.',
  schedule_replaced: 'Le versement programmé est modifié à partir de la prochaine exécution.',
  schedule_paused: 'Le versement programmé est en pause.',
  schedule_resumed: 'Le versement programmé reprend.',
  schedule_cancelled: 'Le versement programmé est annulé.',
  key_revoked: 'La clé est révoquée : elle n’ouvre plus rien.',
  session_ended: 'La session est fermée.',
  password_changed: 'Le mot de passe est changé. Vos autres sessions sont fermées.',
  member_invited: 'L’invitation est envoyée.',
  member_removed: 'L’accès est retiré.',
  totp_reset: 'Sa validation en deux étapes est désactivée.',
  sessions_ended: 'Toutes vos autres sessions sont fermées.',
  totp_off: 'La validation en deux étapes est désactivée.',
  confirmation_sent: 'Le lien de confirmation est envoyé.',
  deposited: 'Le solde de test est approvisionné.',
  wallet_made: 'Le portefeuille de test est prêt.',
  endpoint_changed: 'L’adresse de réception est enregistrée.',
  endpoint_deleted: 'L’adresse de réception est supprimée.',
  pinged: 'Un évènement de test est envoyé.',
  biller_saved: 'Le profil est enregistré.',
  logo_saved: 'Le logo est reçu.',
  biller_submitted: 'La demande de publication est envoyée.',
  biller_approved: 'Le facturier est visible des portefeuilles de test.',
  product_saved: 'Le produit est enregistré.',
  redelivered: 'L’évènement est renvoyé.',
}

/** Returns null for an unknown keyword. */
export function noteText(word: string): string | null {
  return Object.hasOwn(NOTES, word) ? (NOTES[word] as string) : null
}
