/** Where a page keeps its API token: an attribute of the body set by the server, else session storage. */

export const TOKEN_ATTRIBUTE = 'data-api-token'
export const TOKEN_KEY = 'api-token'

interface Attributes {
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
}

export interface TokenPlaces {
  body: Attributes
  /** Reading the property itself may throw where storage is blocked. */
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

export function knownToken({ body, storage }: TokenPlaces): string | undefined {
  return body.getAttribute(TOKEN_ATTRIBUTE) || quietly(() => storage().getItem(TOKEN_KEY)) || undefined
}

/** Keeps the token for later pages of the tab. Undefined forgets it, as at sign-out, in both places. */
export function keepToken({ body, storage }: TokenPlaces, token: string | undefined): void {
  if (token === undefined) body.removeAttribute(TOKEN_ATTRIBUTE)
  else if (body.getAttribute(TOKEN_ATTRIBUTE) !== null) body.setAttribute(TOKEN_ATTRIBUTE, token)
  quietly(() => (token === undefined ? storage().removeItem(TOKEN_KEY) : storage().setItem(TOKEN_KEY, token)))
}

function quietly<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
