import type { HubCardView } from '#app/features/hubs/hubs.schema.ts'
import { line } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'

export interface HubGridData {
  hubs: HubCardView[]
}

export const hubGrid = defineBlock('hub_grid', { title: line() }, { isEmpty: (_, { hubs }: HubGridData) => hubs.length === 0 })
