import { implementResource } from '#app/server/api/implement.ts'
import { canEditRounds } from '../budgets.policy.server.ts'
import { paperBatchShape, paperSheetShape, paperTypingShape } from './paper.api.schema.ts'
import { createBatch, deleteBatch, listBatches, loadBatches, type PaperBatch, updateBatch } from './paper-batches.server.ts'
import { listPaperSheets, loadPaperSheets, settleSheet, typeSheet } from './paper-sheets.server.ts'

export const paperBatchResource = implementResource(paperBatchShape, {
  load: (ctx, ids): Promise<PaperBatch[]> => loadBatches(ctx, ids),
  list: listBatches,
  can: (ctx, { project, batch }) => ({ update: batch.state === 'open' && canEditRounds(ctx, project) }),
  lockVersion: ({ batch }) => batch.lockVersion,
  attributes: ({ batch, returned, typedOnce, differing, spoilt }) => ({
    number: batch.number,
    name: batch.name,
    sheets: batch.sheets,
    stated: batch.stated,
    state: batch.state,
    returned,
    typedOnce,
    differing,
    counted: batch.counted,
    spoilt,
    votedBefore: batch.votedBefore,
    acceptedAt: batch.acceptedAt,
  }),
  relationships: { round: { id: ({ batch }) => batch.roundId, alwaysVisible: true } },
  create: createBatch,
  update: (ctx, row, input, lock) => updateBatch(ctx, row, input, lock.version),
  remove: (ctx, row) => deleteBatch(ctx, row),
})

export const paperSheetResource = implementResource(paperSheetShape, {
  load: loadPaperSheets,
  list: listPaperSheets,
  attributes: ({ number, state, readings }) => ({ number, state, ...(readings.length > 0 && { readings }) }),
  relationships: { batch: { id: ({ batchId }) => batchId, alwaysVisible: true } },
  update: settleSheet,
})

export const paperTypingResource = implementResource(paperTypingShape, {
  create: typeSheet,
  attributes: ({ number, state }) => ({ number, state }),
  relationships: { batch: { id: ({ batchId }) => batchId, alwaysVisible: true } },
})
