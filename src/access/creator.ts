import type { Caller, Creator } from './api-key.ts';

export function creatorOf({ key, userId, isMember }: Pick<Caller, 'key' | 'userId' | 'isMember'>): Creator {
  if (isMember && userId !== undefined) return personAsCreator(userId);
  return key.createdBy !== undefined && personIn(key.createdBy) !== undefined
    ? key.createdBy
    : `key:${key.id}`;
}

export function personAsCreator(personId: string): Creator {
  return `person:${personId}`;
}

/** The person of a creator, if it is one. */
export function personIn(creator: Creator): string | undefined {
  return creator.startsWith('person:') ? creator.slice('person:'.length) : undefined;
}
