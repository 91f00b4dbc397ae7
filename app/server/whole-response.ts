import { FastResponse } from 'srvx/node'

/** What a response says, as `node:http` takes it. */
export interface WholeAnswer {
  headers: Readonly<Record<string, string>>
  body: Buffer
}

const wholeAnswers = new WeakMap<Response, WholeAnswer>()

/** A response whose body is ready. The web process sends it in one piece; the streams of `fetch` are only made for those who read it. */
export function createWholeResponse(status: number, headers: Readonly<Record<string, string>>, body: Buffer): Response {
  const response = new FastResponse(body as unknown as BodyInit, { status, headers: { ...headers } })
  wholeAnswers.set(response, { headers, body })
  return response
}

/** What `createWholeResponse` was given, if this response comes from there. */
export const findWholeAnswer = (response: Response): WholeAnswer | undefined => wholeAnswers.get(response)
