/** What the tests use of a package without types of its own. */
declare module 'devour-client' {
  type Answer = Promise<{ data: Record<string, unknown> }>
  export default class JsonApi {
    constructor(options: { apiUrl: string; pluralize?: boolean; logger?: boolean })
    headers: Record<string, string>
    define(model: string, attributes: Record<string, unknown>, options?: { collectionPath?: string }): void
    create(model: string, payload: Record<string, unknown>): Answer
    find(model: string, id: string): Answer
    update(model: string, payload: Record<string, unknown>): Answer
    destroy(model: string, id: string): Answer
  }
}
