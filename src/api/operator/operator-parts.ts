/** Declarations of all operations for whoever runs the service: keys that were given the scope, and sessions of owners. */
export const ofOperator = {
  tag: 'Operator',
  access: { credential: 'bearer', scope: 'operator' },
  counts: 'other',
} as const;
/** The access of operations that give a new credential or everything that there is. */
export const confirmedOperatorAccess = { ...ofOperator.access, confirmed: true } as const;
