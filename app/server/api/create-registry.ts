import type { AnyResource } from './implement.ts'

export interface Registry {
  readonly resources: readonly AnyResource[]
  find(type: string): AnyResource | undefined
}

/** @throws {Error} if a type is registered twice, or a relationship targets a type that is missing or cannot be read */
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
        throw new Error(`The relationship ${name} of ${shape.type} needs a resource ${relationship.target} with a load function`)
    }
  }
  return { resources, find: (type) => byType.get(type) }
}
