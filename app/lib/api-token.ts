import { API_TOKEN_ITEM } from './device-storage.ts'

/** Where the browser finds the token for `x-api-token`: on the body of a signed-in person's page, else in session storage. */
export const API_TOKEN_ATTRIBUTE = 'data-api-token'
export const API_TOKEN_STORAGE_KEY = API_TOKEN_ITEM.name
/** Body attribute that holds the API's configured development endpoint, if there is one. */
export const API_ENDPOINT_ATTRIBUTE = 'data-api-endpoint'
