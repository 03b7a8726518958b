// Every maximum of operators, by name. At the limit we refuse.

export const OPERATORS_MAX = 200
