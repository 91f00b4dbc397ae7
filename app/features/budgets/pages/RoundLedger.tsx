import { useTranslation } from 'react-i18next'
import type { LedgerHead } from '#app/features/ledger/entries.ts'
import { LedgerPanel } from '#app/features/ledger/LedgerPanel.tsx'
import { ProofPanel } from '#app/features/ledger/ProofPanel.tsx'
import type { LedgerProof } from '#app/features/ledger/proof.ts'
import { useFormat } from '#app/shell/use-format.ts'
import type { BudgetResultsView, RoundView } from '../budgets.schema.ts'
import { buildRoundPath } from './round-parts.tsx'

const toFile = (round: RoundView) => ({ path: buildRoundPath(round, '/ledger.jsonl'), name: `${round.slug}-ledger.jsonl` })

/** The ledger of a certified round, which is checked with the result. */
export function RoundLedger({ results: { round, pots }, ledger }: { results: BudgetResultsView; ledger: LedgerHead }) {
  const { t } = useTranslation('ledger')
  const format = useFormat()
  const check = async () => {
    const { checkRoundHere } = await import('./check-here.ts')
    const potPaths = pots.map((_, at) => buildRoundPath(round, `/ballots/${at + 1}.pb`))
    const { result, ...checked } = await checkRoundHere(buildRoundPath(round, '/ledger.jsonl'), ledger, potPaths)
    const others = result.pots.flatMap(({ isStated }, at) => (isStated ? [] : [t('other-result', { pot: at + 1 })]))
    return { ...checked, others: result.isSealed ? others : [...others, t('not-sealed')] }
  }
  return (
    <LedgerPanel
      about={t('about')}
      ledger={ledger}
      file={{ ...toFile(round), others: pots.map((_, at) => `${round.slug}-${at + 1}.pb`) }}
      check={check}
      same={t('same')}
      describeSame={({ ledger: { standing, entries } }, seconds) =>
        t('same-text', { count: standing, ballots: format.number(standing), entries: format.number(entries), seconds })
      }
    />
  )
}

/** The entry of a ballot in the ledger of its round. */
export function BallotProof({ round, proof, isCounted }: { round: RoundView; proof: LedgerProof; isCounted: boolean }) {
  const { t } = useTranslation('ledger')
  return (
    <ProofPanel
      proof={proof}
      file={toFile(round)}
      isMissing={isCounted && !proof.entry}
      words={{
        title: t('proof.title'),
        waiting: t('proof.waiting'),
        missing: t('proof.missing'),
        how: t(round.ballotType === 'points' ? 'proof.how-points' : 'proof.how'),
        leaf: t('proof.leaf'),
        secret: t('proof.private'),
      }}
    />
  )
}
