import { API_TOKEN_ATTRIBUTE as TOKEN_ATTRIBUTE, API_TOKEN_STORAGE_KEY as TOKEN_KEY } from '../api-token.ts'

interface AttributeHost {
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
}

export interface TokenPlaces {
  body: AttributeHost
  /** Reading the property itself may throw if storage is blocked. */
  storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
}

/** The token that came with the page, else the one an earlier page of this tab kept. */
export function findToken({ body, storage }: TokenPlaces): string | undefined {
  return body.getAttribute(TOKEN_ATTRIBUTE) || tryOrUndefined(() => storage().getItem(TOKEN_KEY)) || undefined
}

/** Keeps the token for later pages of this tab. Undefined removes it from both places, as at sign-out. */
export function keepToken({ body, storage }: TokenPlaces, token: string | undefined): void {
  if (token === undefined) body.removeAttribute(TOKEN_ATTRIBUTE)
  else if (body.getAttribute(TOKEN_ATTRIBUTE) !== null) body.setAttribute(TOKEN_ATTRIBUTE, token)
  tryOrUndefined(() => (token === undefined ? storage().removeItem(TOKEN_KEY) : storage().setItem(TOKEN_KEY, token)))
}

function tryOrUndefined<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
