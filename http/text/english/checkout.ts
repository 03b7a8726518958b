// English of the pages of customers: checkout, payment link, approval of a mandate; and of the layout of all pages.
import type { Entries } from '../catalogue.ts'

export const LAYOUT_TEXTS: Entries = {
  'Aller au contenu': 'Skip to content',
  Environnement: 'Environment',
  '<1>Environnement de test.</1> Aucun argent réel ne circule. Code SMS : 000000, code PIN : 2580.':
    '<1>Test environment.</1> No real money moves. SMS code: 000000, PIN: 2580.',
  'Service momentanément indisponible': 'The service is unavailable for the moment',
  'Attendez quelques secondes, puis actualisez la page. Si vous avez envoyé un formulaire, vérifiez d’abord s’il a été pris en compte.':
    'Wait a few seconds, then reload the page. If you sent a form, first check whether it was accepted.',
}

export const CHECKOUT_TEXTS: Entries = {
  'Payer {0} à {1}': 'Pay {0} to {1}',
  'Page introuvable': 'Page not found',
  'Ce lien n’existe pas ou n’est pas complet. Demandez-en un nouveau à votre marchand.':
    'This link does not exist or is not complete. Ask your merchant for a new one.',
  'Cauri ne vous demandera jamais votre code PIN par téléphone ou par message.': 'Cauri will never ask for your PIN by phone or message.',
  'Payer à {0}': 'Pay to {0}',
  'Votre portefeuille <1>@{0}</1>. {1}': 'Your wallet <1>@{0}</1>. {1}',
  'Valable encore': 'Valid for',
  'Ce paiement est réservé au client désigné par le marchand.': 'This payment is reserved for the customer whom the merchant named.',
  'moins d’une minute': 'less than a minute',
  'Payer sur cette page': 'Pay on this page',
  'Recevoir mon code par SMS': 'Get my code by SMS',
  'Vous confirmerez ensuite le paiement avec ce code et le code PIN de votre portefeuille.':
    'You then confirm the payment with this code and the PIN of your wallet.',
  'Confirmer le paiement': 'Confirm the payment',
  'Si <1>{0}</1> a un portefeuille Cauri, un code à 6 chiffres vient de lui être envoyé par SMS.':
    'If <1>{0}</1> has a Cauri wallet, a code of 6 digits was just sent to it by SMS.',
  'Payer {0}': 'Pay {0}',
  'Changer d’identifiant ou demander un nouveau code': 'Change the identifier or ask for a new code',
  'L’application est sur ce téléphone ?': 'Is the app on this phone?',
  'Ouvrir l’application Cauri': 'Open the Cauri app',
  'Sans l’application, payez sur cette page.': 'Without the app, pay on this page.',
  'Payer avec l’application': 'Pay with the app',
  'Ouvrez Cauri sur un téléphone et scannez ce code.': 'Open Cauri on a phone and scan this code.',
  'Code QR de ce paiement, à scanner avec l’application Cauri': 'QR code of this payment, to scan with the Cauri app',
  'Ce code change toutes les 15 secondes. <1>Actualiser la page</1> pour le renouveler.':
    'This code changes every 15 seconds. <1>Reload the page</1> to renew it.',
  'Payer avec le téléphone simulé': 'Pay with the simulated phone',
  'Vous avez payé <1>{0}</1> à {1}.': 'You paid <1>{0}</1> to {1}.',
  'Paiement effectué': 'Payment complete',
  'Paiement remboursé': 'Payment refunded',
  '{0} a remboursé ce paiement de <1>{1}</1>. L’argent est de retour dans le portefeuille.':
    '{0} refunded this payment of <1>{1}</1>. The money is back in the wallet.',
  'Paiement expiré': 'Payment expired',
  'Ce lien n’est plus valable et rien n’a été débité. Demandez-en un nouveau à {0}.':
    'This link is no longer valid and nothing was debited. Ask {0} for a new one.',
  'Paiement annulé': 'Payment cancelled',
  '{0} a annulé cette demande de paiement. Rien n’a été débité.': '{0} cancelled this payment request. Nothing was debited.',
  'Retourner chez <1>{0}</1>': 'Return to <1>{0}</1>',
  'Vous y serez redirigé dans quelques secondes.': 'You will be redirected there in a few seconds.',
  'Il reste cinq minutes pour payer.': 'Five minutes are left to pay.',
  'Il reste une minute pour payer.': 'One minute is left to pay.',
  Référence: 'Reference',
  Objet: 'Purpose',
  Date: 'Date',
  Transaction: 'Transaction',
  'Votre identifiant Cauri': 'Your Cauri identifier',
  'Votre @tag, ou votre numéro avec l’indicatif : +225 07…': 'Your @tag, or your number with its country code: +225 07…',
  'Code reçu par SMS': 'Code received by SMS',
  'Code PIN de votre portefeuille': 'PIN of your wallet',
  'Saisissez votre @tag, ou votre numéro avec l’indicatif du pays, par exemple +225 07 00 00 00 00.':
    'Type your @tag, or your number with its country code, for example +225 07 00 00 00 00.',
  'Saisissez les 6 chiffres reçus par SMS.': 'Type the 6 digits that you received by SMS.',
  'Saisissez votre code PIN, de 4 à 6 chiffres.': 'Type your PIN, 4 to 6 digits.',
  '{0} Il vous reste {1} {2}.': '{0} You have {1} {2} left.',
  '{0} Il vous manque {1} : approvisionnez votre portefeuille, puis payez.': '{0} You are {1} short: add money to your wallet, then pay.',
  'Le code PIN est bloqué après plusieurs erreurs. Réessayez dans {0} min.':
    'The PIN is locked after several errors. Try again in {0} min.',
  'Lien fermé': 'Link closed',
  Paiement: 'Payment',
  Continuer: 'Continue',
  'Montant en F CFA': 'Amount in F CFA',
  'Ce lien de paiement est fermé': 'This payment link is closed',
  'Demandez à {0} comment payer.': 'Ask {0} how to pay.',
  'Saisissez un montant avec deux décimales au plus, par exemple 12,50.': 'Type an amount with two decimals at most, for example 12.50.',
  'Saisissez un montant en francs, sans décimales, par exemple 2 500.': 'Type an amount in francs, without decimals, for example 2,500.',
  'Trop de demandes en peu de temps. Réessayez dans une minute.': 'Too many requests in a short time. Try again in a minute.',
  'Autoriser les prélèvements de {0}': 'Authorise direct debits of {0}',
  'Ces prélèvements sont suspendus : le solde était insuffisant quatre fois de suite. Vous pouvez les autoriser de nouveau.':
    'These direct debits are suspended: the balance was insufficient four times in a row. You can authorise them again.',
  'Premier prélèvement dès votre accord.': 'First debit as soon as you agree.',
  'Paiements possibles dès votre accord.': 'Payments are possible as soon as you agree.',
  'Premier prélèvement le {0} au plus tôt.': 'First debit on {0} at the earliest.',
  'Paiements possibles le {0} au plus tôt.': 'Payments are possible on {0} at the earliest.',
  'Un seul paiement.': 'One payment only.',
  '{0} paiements au plus.': '{0} payments at most.',
  'Le marchand demande chaque paiement, sans jamais dépasser ce montant.': 'The merchant asks for each payment, never above this amount.',
  'Le marchand demande chaque paiement, un seul par période, sans jamais dépasser ce montant.':
    'The merchant asks for each payment, one per period, never above this amount.',
  'Fin le {0}.': 'Ends on {0}.',
  'Vous pouvez y mettre fin à tout moment dans l’application.': 'You can end it at any time in the app.',
  'Accepter sur cette page': 'Accept on this page',
  'Vous confirmerez ensuite avec ce code et le code PIN de votre portefeuille.':
    'You then confirm with this code and the PIN of your wallet.',
  'Confirmer votre accord': 'Confirm your agreement',
  'Si <1>{0}</1> est le portefeuille à qui cette demande s’adresse, un code à 6 chiffres vient de lui être envoyé par SMS.':
    'If <1>{0}</1> is the wallet that this request is for, a code of 6 digits was just sent to it by SMS.',
  'Autoriser les prélèvements': 'Authorise the direct debits',
  'Répondre dans l’application': 'Answer in the app',
  'Ouvrez Cauri sur votre téléphone : la demande de {0} vous y attend parmi vos prélèvements. Acceptez-la avec votre code PIN, ou refusez-la.':
    'Open Cauri on your phone: the request of {0} waits there among your direct debits. Accept it with your PIN, or refuse it.',
  'Si vous ne répondez pas, rien ne sera prélevé.': 'If you do not answer, nothing will be debited.',
  'Prélèvements autorisés': 'Direct debits authorised',
  'Vous avez autorisé {0} à prélever <1>{1}</1>. Vous pouvez y mettre fin à tout moment dans l’application.':
    'You authorised {0} to debit <1>{1}</1>. You can end it at any time in the app.',
  'Demande refusée': 'Request refused',
  'Vous avez refusé la demande de {0}. Rien ne sera prélevé.': 'You refused the request of {0}. Nothing will be debited.',
  'Prélèvements annulés': 'Direct debits cancelled',
  '{0} ne prélèvera plus rien : cette autorisation a pris fin.': '{0} will debit nothing more: this authorisation has ended.',
  'Demande expirée': 'Request expired',
  'Cette demande de {0} n’est plus valable. Rien de plus ne sera prélevé.':
    'This request of {0} is no longer valid. Nothing more will be debited.',
}
