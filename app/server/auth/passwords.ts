import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { AppError, type Fault } from '../../lib/app-error.ts'
import { createConcurrencyLimit } from '../../lib/concurrency-limit.ts'
import common from './common-passwords.json' with { type: 'json' }

export const MIN_PASSWORD_LENGTH = 8
export const MAX_PASSWORD_LENGTH = 128

/** argon2id with 46 MiB, one pass, one lane: OWASP's first choice. */
const COST = { memory: 47_104, passes: 1, parallelism: 1 }
const SALT_BYTES = 16
const KEY_BYTES = 32
const PHC_HASH = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/
/** Compared against if the account is unknown: takes the same work and never matches. */
const UNKNOWN_ACCOUNT_HASH = encodePhc(COST, randomBytes(SALT_BYTES), randomBytes(KEY_BYTES))

/** Each hash takes 46 MiB: a burst queues, and overflow is asked to retry. */
const hashingLimit = createConcurrencyLimit({
  atOnce: Math.min(4, Math.max(2, availableParallelism())),
  waiting: 200,
  full: () => new AppError('unavailable'),
})

type Cost = typeof COST

/** @returns a PHC string, `$argon2id$v=19$m=…,t=…,p=…$salt$key` */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  return encodePhc(COST, salt, await deriveKey(password, salt, COST, KEY_BYTES))
}

/** True if `password` matches `hash`. Without a hash (no such account) it does the same work and returns false. */
export async function verifyPassword(password: string, hash: string | null | undefined): Promise<boolean> {
  const [, memory, passes, parallelism, salt, key] =
    PHC_HASH.exec(hash ?? UNKNOWN_ACCOUNT_HASH) ?? PHC_HASH.exec(UNKNOWN_ACCOUNT_HASH) ?? []
  const expected = Buffer.from(key ?? '', 'base64')
  const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const actual = await deriveKey(password, Buffer.from(salt ?? '', 'base64'), cost, expected.length)
  return timingSafeEqual(actual, expected)
}

/**
 * Why `password` is not acceptable, or undefined. Only length and guessability count: there are no composition rules.
 * @param words what a stranger would try first for this account: the site's name, the email address, the name
 */
export function findPasswordFault(password: string, words: readonly string[]): Omit<Fault, 'pointer'> | undefined {
  const length = Array.from(password).length
  if (length === 0) return { code: 'required' }
  if (length < MIN_PASSWORD_LENGTH) return { code: 'too-short', values: { min: MIN_PASSWORD_LENGTH } }
  if (length > MAX_PASSWORD_LENGTH) return { code: 'too-long', values: { max: MAX_PASSWORD_LENGTH } }
  if (getCommonPasswords().has(password.toLowerCase()) || words.some((word) => isWordVariant(password, word)))
    return { code: 'common-password' }
  return undefined
}

let commonPasswordSet: Set<string> | undefined
const getCommonPasswords = () => (commonPasswordSet ??= new Set(common.passwords))

/** True for the word itself, whatever its spacing and case, and for the word with digits or punctuation around it. */
function isWordVariant(password: string, word: string): boolean {
  const keepLettersAndDigits = (text: string) =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]/gu, '')
  const [given, avoided] = [keepLettersAndDigits(password), keepLettersAndDigits(word)]
  if (avoided === '') return false
  return given === avoided || (avoided.length > 3 && given.includes(avoided) && /^\p{N}*$/u.test(given.replace(avoided, '')))
}

function deriveKey(password: string, salt: Buffer, cost: Cost, bytes: number): Promise<Buffer> {
  const options = { message: password.normalize('NFKC'), nonce: salt, tagLength: bytes, ...cost }
  return hashingLimit(
    () => new Promise((resolve, reject) => argon2('argon2id', options, (error, key) => (error ? reject(error) : resolve(key)))),
  )
}

function encodePhc(cost: Cost, salt: Buffer, key: Buffer): string {
  const toUnpaddedBase64 = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${toUnpaddedBase64(salt)}$${toUnpaddedBase64(key)}`
}
