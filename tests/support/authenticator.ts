import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** What goes wrong with an answer, as an attacker or a broken device would have it. */
export interface Deviation {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  /** Nobody touched the device. */
  absent?: boolean
  /** The device asked for no fingerprint or PIN. */
  unverified?: boolean
  counter?: number
  /** Signed with this key instead. */
  key?: KeyObject
  /** Sent as if it were this credential's. */
  credentialId?: string
}

interface Options {
  challenge: string
}

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HOLDS_CREDENTIAL = 0x40

/** A passkey's device in software, written from the W3C's Web Authentication: P-256, no attestation. It counts what it signs. */
export class Authenticator {
  readonly credentialId = randomBytes(32).toString('base64url')
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #origin: string
  readonly #rpId: string
  counter = 0

  constructor(origin: string) {
    this.#origin = origin
    this.#rpId = new URL(origin).hostname
  }

  get privateKey(): KeyObject {
    return this.#keys.privateKey
  }

  /** The answer to `navigator.credentials.create`, as JSON. */
  make(options: Options & { rp: { id?: string } }, how: Deviation = {}): string {
    const id = Buffer.from(this.credentialId, 'base64url')
    const length = Buffer.from([id.length >> 8, id.length & 0xff])
    const held = Buffer.concat([Buffer.alloc(16), length, id, this.#encodeKey()])
    const authData = this.#describe(how, HOLDS_CREDENTIAL, held)
    const attestation = encodeMap([
      [encodeText('fmt'), encodeText('none')],
      [encodeText('attStmt'), encodeMap([])],
      [encodeText('authData'), encodeBytes(authData)],
    ])
    return this.#answer({
      clientDataJSON: this.#encodeClientData('webauthn.create', options, how).toString('base64url'),
      attestationObject: attestation.toString('base64url'),
      transports: ['internal'],
    })
  }

  /** The answer to `navigator.credentials.get`, as JSON. */
  use(options: Options, how: Deviation = {}): string {
    if (how.counter === undefined && this.counter > 0) this.counter += 1
    const clientData = this.#encodeClientData('webauthn.get', options, how)
    const authData = this.#describe(how, 0, Buffer.alloc(0))
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()])
    return this.#answer(
      {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, how.key ?? this.privateKey).toString('base64url'),
      },
      how.credentialId,
    )
  }

  #answer(response: Record<string, unknown>, id = this.credentialId): string {
    return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response })
  }

  #encodeClientData(type: string, { challenge }: Options, how: Deviation): Buffer {
    return Buffer.from(
      JSON.stringify({
        type: how.type ?? type,
        challenge: how.challenge ?? challenge,
        origin: how.origin ?? this.#origin,
        crossOrigin: false,
      }),
    )
  }

  #describe({ rpId, absent, unverified, counter }: Deviation, flags: number, rest: Buffer): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter ?? this.counter)
    const hash = createHash('sha256')
      .update(rpId ?? this.#rpId)
      .digest()
    return Buffer.concat([hash, Buffer.from([(absent ? 0 : USER_PRESENT) | (unverified ? 0 : USER_VERIFIED) | flags]), count, rest])
  }

  /** COSE: an elliptic curve key of P-256 for ES256. */
  #encodeKey(): Buffer {
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const [kty, alg, curve] = [Buffer.from([0x01]), Buffer.from([0x03]), Buffer.from([0x20])]
    return encodeMap([
      [kty, Buffer.from([0x02])],
      [alg, Buffer.from([0x26])],
      [curve, Buffer.from([0x01])],
      [Buffer.from([0x21]), encodeBytes(Buffer.from(x, 'base64url'))],
      [Buffer.from([0x22]), encodeBytes(Buffer.from(y, 'base64url'))],
    ])
  }
}

// CBOR, as far as it takes: short texts and maps, 24 bytes to 64 kB.
const encodeText = (text: string) => Buffer.concat([Buffer.from([0x60 + text.length]), Buffer.from(text)])
const encodeBytes = (bytes: Buffer) => Buffer.concat([encodeLength(bytes.length), bytes])
const encodeLength = (length: number) => Buffer.from(length < 256 ? [0x58, length] : [0x59, length >> 8, length & 0xff])
const encodeMap = (entries: [key: Buffer, value: Buffer][]) => Buffer.concat([Buffer.from([0xa0 + entries.length]), ...entries.flat()])
