import { createHash, createHmac } from 'node:crypto'

export interface Credentials {
  keyId: string
  secret: string
  region: string
}

export interface Signable {
  method: string
  url: URL
  /** All are signed; names in lower case. */
  headers: Readonly<Record<string, string>>
  body: Uint8Array
  at: Date
}

export const sha256 = (body: Uint8Array | string): string => createHash('sha256').update(body).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Percent-encoding as S3 counts it: everything but letters, digits and `-._~`. */
export const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`)

/** The headers of a request to S3 with its signature, version 4, among them. */
export function signed({ method, url, headers, body, at }: Signable, { keyId, secret, region }: Credentials): Record<string, string> {
  const time = at.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const all: Record<string, string> = { ...headers, host: url.host, 'x-amz-content-sha256': sha256(body), 'x-amz-date': time }
  const names = Object.keys(all).toSorted()
  const query = [...url.searchParams]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .toSorted()
    .join('&')
  const canonical = [
    method,
    url.pathname,
    query,
    ...names.map((name) => `${name}:${all[name]?.trim()}`),
    '',
    names.join(';'),
    all['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const key = ['s3', 'aws4_request'].reduce((last, part) => hmac(last, part), hmac(hmac(`AWS4${secret}`, day), region))
  const signature = hmac(key, `AWS4-HMAC-SHA256\n${time}\n${scope}\n${sha256(canonical)}`).toString('hex')
  return { ...all, authorization: `AWS4-HMAC-SHA256 Credential=${keyId}/${scope},SignedHeaders=${names.join(';')},Signature=${signature}` }
}
