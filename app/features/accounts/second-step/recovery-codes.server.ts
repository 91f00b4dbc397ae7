import { randomInt } from 'node:crypto'
import { and, count, eq, isNull } from 'drizzle-orm'
import { createId } from '#app/lib/uuid.ts'
import { hashToken } from '#app/server/auth/tokens.ts'
import type { Tx } from '#app/server/db/client.ts'
import { recoveryCodes } from '#app/server/db/schema/accounts.ts'
import type { UserRow } from '../account-realm.server.ts'

const CODE_COUNT = 10
/** Without letters that look like digits. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 117 random bits. */
const CODE_LENGTH = 24

type Owner = Pick<UserRow, 'siteId' | 'id'>

/** Replaces the account's recovery codes. @returns the new ones: only their hashes are stored */
export async function replaceRecoveryCodes(tx: Tx, { siteId, id: userId }: Owner, now: Date): Promise<string[]> {
  const codes = Array.from({ length: CODE_COUNT }, createRecoveryCode)
  await tx.delete(recoveryCodes).where(and(eq(recoveryCodes.siteId, siteId), eq(recoveryCodes.userId, userId)))
  await tx
    .insert(recoveryCodes)
    .values(codes.map((code) => ({ siteId, id: createId(), userId, codeHash: hashRecoveryCode(code), createdAt: now })))
  return codes
}

/** Uses up a recovery code. @returns false if it is not one of theirs, or was used before */
export async function consumeRecoveryCode(tx: Tx, { siteId, id: userId }: Owner, code: string, now: Date): Promise<boolean> {
  const used = await tx
    .update(recoveryCodes)
    .set({ usedAt: now })
    .where(
      and(
        eq(recoveryCodes.siteId, siteId),
        eq(recoveryCodes.userId, userId),
        eq(recoveryCodes.codeHash, hashRecoveryCode(code)),
        isNull(recoveryCodes.usedAt),
      ),
    )
    .returning({ id: recoveryCodes.id })
  return used.length > 0
}

export async function countUnusedCodes(tx: Tx, { siteId, id: userId }: Owner): Promise<number> {
  const [unused] = await tx
    .select({ left: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.siteId, siteId), eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)))
  return unused?.left ?? 0
}

function createRecoveryCode(): string {
  const characters = Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)])
  return characters.join('').replace(/(.{4})(?=.)/g, '$1-')
}

/** Spaces, hyphens and small letters do not matter. A code has more than 112 random bits, so a plain hash is enough (decision 0130). */
const hashRecoveryCode = (code: string): Buffer => hashToken(code.replace(/[\s-]/g, '').toUpperCase())
