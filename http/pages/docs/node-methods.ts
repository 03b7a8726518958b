// The method of @cauri/node for each operation of the merchant API. Path parameters come first, then the body.

interface NodeMethod {
  readonly name: string
  /** It returns a list, whose rows are iterated over or read page by page. */
  readonly isList?: true
  /** The one field of the body that it takes instead of the whole body. `null`: it sends no body, which is optional there. */
  readonly takes?: string | null
}

function methods(
  resource: string,
  names: Readonly<Record<string, string>>,
  how: Omit<NodeMethod, 'name'> = {},
): Record<string, NodeMethod> {
  const dotted = resource === '' ? '' : `${resource}.`
  return Object.fromEntries(Object.entries(names).map(([operation, name]) => [operation, { name: dotted + name, ...how }]))
}

function lists(resource: string, names: Readonly<Record<string, string>>): Record<string, NodeMethod> {
  return methods(resource, names, { isList: true })
}

function bodiless(resource: string, names: Readonly<Record<string, string>>): Record<string, NodeMethod> {
  return methods(resource, names, { takes: null })
}

export const NODE_METHODS: Readonly<Record<string, NodeMethod>> = {
  ...methods('', { ping: 'ping', getBalance: 'balance', getFee: 'fee', getHealth: 'health' }),
  ...lists('transactions', { listTransactions: 'list' }),
  ...methods('transactions', { getTransaction: 'get' }),
  ...methods('topUps', { createTopUp: 'create', getTopUp: 'get', cancelTopUp: 'cancel' }),
  ...lists('topUps', { listTopUps: 'list' }),
  ...methods('withdrawals', { requestWithdrawal: 'create', getWithdrawal: 'get', cancelWithdrawal: 'cancel' }),
  ...methods('withdrawals', { createWithdrawalAccount: 'createAccount', deleteWithdrawalAccount: 'deleteAccount' }),
  ...lists('withdrawals', { listWithdrawalAccounts: 'accounts' }),
  ...lists('withdrawals', { listWithdrawals: 'list' }),
  ...methods('charges', { createCharge: 'create', getCharge: 'get', cancelCharge: 'cancel', refundCharge: 'refund', getTill: 'till' }),
  ...lists('charges', { listCharges: 'list' }),
  ...methods('checkout', { getCheckout: 'get', getCheckoutStatus: 'status', getCheckoutQr: 'qr', startCheckoutOtp: 'startOtp' }),
  ...methods('checkout', { payCheckout: 'pay' }),
  ...methods('paymentLinks', { createPaymentLink: 'create', getPaymentLink: 'get', closePaymentLink: 'close' }),
  ...lists('paymentLinks', { listPaymentLinks: 'list' }),
  ...methods('payouts', { createPayout: 'create', getPayout: 'get' }),
  checkRecipient: { name: 'payouts.checkRecipient', takes: 'recipient' },
  ...lists('payouts', { listPayouts: 'list' }),
  ...methods('batches', { createBatch: 'create', getBatch: 'get' }),
  ...lists('batches', { listBatches: 'list' }),
  ...methods('disbursements', { createDisbursement: 'create', getDisbursement: 'get', rejectDisbursement: 'reject' }),
  ...methods('disbursements', { pauseDisbursement: 'pause', resumeDisbursement: 'resume', cancelDisbursement: 'cancel' }),
  ...bodiless('disbursements', { startDisbursement: 'start', approveDisbursement: 'approve', retryDisbursement: 'retry' }),
  ...lists('disbursements', { listDisbursements: 'list', listDisbursementLines: 'lines' }),
  ...methods('contacts', { createContact: 'create', getContact: 'get', replaceContact: 'replace', deleteContact: 'delete' }),
  ...lists('contacts', { listContacts: 'list' }),
  ...methods('problems', { getProblem: 'get', answerProblem: 'answer' }),
  ...lists('problems', { listProblems: 'list' }),
  ...methods('schedules', { createSchedule: 'create', getSchedule: 'get', replaceSchedule: 'replace', pauseSchedule: 'pause' }),
  ...methods('schedules', { resumeSchedule: 'resume', cancelSchedule: 'cancel' }),
  ...lists('schedules', { listSchedules: 'list', listScheduleRuns: 'runs' }),
  ...methods('mandates', { createMandate: 'create', getMandate: 'get', cancelMandate: 'cancel', chargeMandate: 'charge' }),
  ...lists('mandates', { listMandates: 'list', listMandateCharges: 'listCharges' }),
  ...methods('biller', { getBiller: 'get', saveBiller: 'save', submitBiller: 'submit' }),
  ...lists('biller', { listBillerCategories: 'categories' }),
  ...methods('products', { createProduct: 'create', getProduct: 'get', replaceProduct: 'replace', activateProduct: 'activate' }),
  ...methods('products', { deactivateProduct: 'deactivate', testLookup: 'testLookup', testFulfillment: 'testFulfillment' }),
  ...lists('products', { listProducts: 'list', listCodeRuns: 'runs' }),
  ...methods('billPayments', { getBillPayment: 'get', redeliverBillPayment: 'redeliver', refundBillPayment: 'refund' }),
  ...lists('billPayments', { listBillPayments: 'list' }),
  ...methods('webhookEndpoints', { createWebhookEndpoint: 'create', getWebhookEndpoint: 'get', updateWebhookEndpoint: 'update' }),
  ...methods('webhookEndpoints', { deleteWebhookEndpoint: 'delete', rotateWebhookSecret: 'rotateSecret', pingWebhookEndpoint: 'ping' }),
  ...methods('webhookEndpoints', { getWebhookSecret: 'defaultSecret' }),
  ...lists('webhookEndpoints', { listWebhookEndpoints: 'list', listDeliveries: 'deliveries' }),
  ...methods('events', { getEvent: 'get', redeliverEvent: 'redeliver' }),
  ...lists('events', { listEvents: 'list' }),
  ...lists('test', { listTestRequests: 'requests' }),
  ...methods('test', { createTestDeposit: 'deposit', payTestCharge: 'payCharge', confirmTestTopUp: 'confirmTopUp' }),
  ...bodiless('test', { expireTestCharge: 'expireCharge', runTestSchedule: 'runSchedule', collectTestMandate: 'collectMandate' }),
  ...methods('test', { payTestWithdrawal: 'payWithdrawal', approveTestBiller: 'approveBiller' }),
  createTestWallet: { name: 'test.createWallet', takes: 'tag' },
}
