// Every maximum of operators, by name. At the limit we refuse.

export const OPERATORS_MAX = 200

/** Maximum of new operators that wait for a second administrator. */
export const OPERATOR_REQUESTS_MAX = 100
