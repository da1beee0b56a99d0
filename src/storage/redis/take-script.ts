import { WINDOW_SECONDS } from '../../limits/counters.ts';

/** For one name: what was counted before, how many of those asked for were granted, when the window ends. */
export type TakeAnswer = readonly [before: number, granted: number, resetsAt: number];

/** A window with more left than this was opened before the clock was set back, and would last for as long as that. */
const MAX_LEFT_MS = 2 * WINDOW_SECONDS * 1000;

/**
 * Takes for many names in one step. For each key there are two arguments, its limit and how many are asked for. Windows
 * end on whole seconds of Redis' own clock, so that nodes whose clocks differ agree.
 */
export const TAKE_SCRIPT = `
local time = redis.call('TIME')
local second, millisecond = tonumber(time[1]), tonumber(time[2]) / 1000
local answers = {}
for at, key in ipairs(KEYS) do
  local limit, asked = tonumber(ARGV[2 * at - 1]), tonumber(ARGV[2 * at])
  local before = tonumber(redis.call('GET', key) or '0')
  local granted = math.max(0, math.min(asked, limit - before))
  if granted > 0 then redis.call('INCRBY', key, granted) end
  local left = redis.call('PTTL', key)
  if left < 0 or left > ${MAX_LEFT_MS} then
    if left ~= -2 then redis.call('EXPIREAT', key, second + ${WINDOW_SECONDS}) end
    answers[at] = { before, granted, second + ${WINDOW_SECONDS} }
  else
    answers[at] = { before, granted, math.floor(second + (millisecond + left) / 1000 + 0.5) }
  end
end
return answers`;
