/** The access of all operations for whoever runs the service: keys that were given the scope, and sessions of owners. */
export const operatorAccess = { credential: 'bearer', scope: 'operator' } as const;
/** The access of operations that give a new credential or everything that there is. */
export const confirmedOperatorAccess = { ...operatorAccess, confirmed: true } as const;
export const OPERATOR_TAG = 'Operator';
