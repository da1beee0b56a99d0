import { type ChangeRecord, certaintyOf, type RemoveRecord, type Violation } from '../history-record.ts';
import type { DiaryModel, Entry } from './diary-model.ts';
import { diaryViolation } from './diary-violation.ts';

/**
 * Checks that versions of an entry count its changes: each is made once, follows the previous one, and is
 * rejected (412) only if there is another.
 */
export function checkVersions(entry: Entry, model: DiaryModel): Violation[] {
  const done = entry.changes.filter((change) => certaintyOf(change) === 'done');
  return [
    ...checkTwins(entry, model),
    ...done.flatMap((change) => checkChange(change, entry, done)),
    ...checkMarks(entry, model),
    ...checkRefusals(entry, model),
  ];
}

/** No two changes may make the same version, because one would overwrite the other unnoticed. */
function checkTwins({ id, changes }: Entry, model: DiaryModel): Violation[] {
  const known = changes.filter(({ mark }) => model.versionOf(mark) !== undefined);
  return [...Map.groupBy(known, ({ mark }) => model.versionOf(mark)!)]
    .filter(([, twins]) => twins.length > 1)
    .map(([version, twins]) =>
      diaryViolation('lost', `version ${version} of ${id} was made twice`, ...twins),
    );
}

function checkChange(
  change: ChangeRecord,
  { id, changes }: Entry,
  done: readonly ChangeRecord[],
): Violation[] {
  const { version = 0, ifMatch } = change;
  const before = done.filter(({ endMs }) => endMs < change.startMs);
  const overtaken = before.find((earlier) => earlier.version! >= version);
  const most = 1 + changes.filter(({ startMs }) => startMs < change.endMs).length;
  return [
    ...(ifMatch !== undefined && version !== ifMatch + 1
      ? [diaryViolation('lost', `version ${version} of ${id} was made of ${ifMatch}`, change)]
      : []),
    ...(overtaken === undefined
      ? []
      : [
          diaryViolation(
            'lost',
            `version ${version} of ${id} was made after ${overtaken.version}`,
            change,
            overtaken,
          ),
        ]),
    ...(version > most
      ? [diaryViolation('doubled', `${id} has version ${version} after at most ${most - 1} changes`, change)]
      : []),
  ];
}

/** The change of one mark never makes two versions. */
function checkMarks({ id }: Entry, model: DiaryModel): Violation[] {
  return model.sightings
    .filter(({ version, ...sighting }) => sighting.id === id && version !== undefined)
    .filter(({ mark, version }) => model.versionOf(mark) !== version)
    .map(({ mark, version, record }) =>
      diaryViolation(
        'doubled',
        `${mark} is on versions ${model.versionOf(mark)} and ${version} of ${id}`,
        record,
      ),
    );
}

function checkRefusals(entry: Entry, model: DiaryModel): Violation[] {
  return model
    .conflicts(entry.id)
    .filter((refused) => !entry.changes.some((change) => isPast(change, refused, model)))
    .map((refused) => diaryViolation('wrong status', `412 though ${entry.id} had no other version`, refused));
}

/** Whether the change may have made another version than the expected one. */
function isPast(change: ChangeRecord, refused: ChangeRecord | RemoveRecord, model: DiaryModel): boolean {
  const version = model.versionOf(change.mark);
  return change.startMs < refused.endMs && (version === undefined || version > (refused.ifMatch ?? 0));
}
