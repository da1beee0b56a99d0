/** The access of all operations for whoever runs the service: keys that were given the scope, and sessions of owners. */
export const operatorAccess = { credential: 'bearer', scope: 'operator' } as const;
export const OPERATOR_TAG = 'Operator (v1)';
