import { randomBytes } from 'node:crypto'
import { v7 } from 'uuid'
import type { Sending } from './sending.schema.ts'

/** The id and key a form gets when it is opened, to be sent with it. */
export const createSending = (now: Date): Sending => ({ id: v7({ msecs: now.getTime() }), sendKey: randomBytes(16).toString('base64url') })
