import type { AnyResource } from './implement.ts'

/** The resources one API serves. */
export interface Registry {
  readonly resources: readonly AnyResource[]
  find(type: string): AnyResource | undefined
}

/** @throws {Error} where a type is there twice, or a relationship leads to a type that is not there or cannot be read */
export function createRegistry(resources: readonly AnyResource[]): Registry {
  const byType = new Map<string, AnyResource>()
  for (const resource of resources) {
    if (byType.has(resource.shape.type)) throw new Error(`Two API resources are named ${resource.shape.type}`)
    byType.set(resource.shape.type, resource)
  }
  for (const { shape } of resources) {
    for (const [name, relationship] of Object.entries(shape.relationships)) {
      const target = byType.get(relationship.target)
      if (!target?.implementation.load)
        throw new Error(`The relationship ${name} of ${shape.type} needs a resource ${relationship.target} with load`)
    }
  }
  return { resources, find: (type) => byType.get(type) }
}
