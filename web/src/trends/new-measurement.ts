import type { MeasurementInput } from 'larder-client';
import { today } from '../days.ts';
import { newId } from '../offline/ids.ts';
import type { NewWrite } from '../offline/queue/writes.ts';

/** The addition of a measurement to the diary of a user. */
export function additionOfMeasurement(
  userId: string,
  { name, value, unit, measuredAt }: Omit<MeasurementInput, 'id'>,
): NewWrite {
  const id = newId();
  const now = new Date().toISOString();
  const body = { id, name, value, unit, measuredAt: measuredAt ?? now };
  const rest = { version: 0, userId, createdAt: now, updatedAt: now };
  return { kind: 'measurement', id, op: 'add', body, preview: { ...body, ...rest } };
}

/** Now for today, and noon of another day, with the offset of this device. */
export function momentOf(day: string): string {
  const at = day === today() ? new Date() : new Date(`${day}T12:00:00`);
  const offset = -at.getTimezoneOffset();
  const local = new Date(at.getTime() + offset * 60_000).toISOString().slice(11, 19);
  const part = (minutes: number) => String(minutes).padStart(2, '0');
  const sign = offset < 0 ? '-' : '+';
  const whole = Math.abs(offset);
  return `${day}T${local}${sign}${part(Math.floor(whole / 60))}:${part(whole % 60)}`;
}
