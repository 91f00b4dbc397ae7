import type { Fault } from '#app/lib/app-error.ts'

/** Faults of a draft's blocks by field name: `/data/attributes/content/blocks/2/action/href` is `b_1.action.href`, if block 2 has the id `b_1`. */
export function groupBlockFaults<One extends Pick<Fault, 'pointer'>>(
  faults: readonly One[],
  blocks: readonly { id: string }[],
): ReadonlyMap<string, One> {
  const byName = new Map<string, One>()
  for (const fault of faults) {
    const [, at, path] = /\/content\/blocks\/(\d+)\/(.+)$/.exec(fault.pointer ?? '') ?? []
    const id = blocks[Number(at)]?.id
    if (id && path) byName.set(`${id}.${path.replaceAll('/', '.')}`, fault)
  }
  return byName
}
