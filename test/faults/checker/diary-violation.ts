import type { DiaryRecord, Violation } from '../history-record.ts';

export function diaryViolation(rule: string, message: string, ...records: DiaryRecord[]): Violation {
  return { rule, message: `${records[0]!.diary}: ${message}`, records };
}
