import { QuickPoll } from '#app/features/surveys/poll/QuickPoll.tsx'
import { type BlockProps, BlockSection } from '../../block-parts.tsx'

export default function QuickPollBlock({ block: { id, title, data } }: BlockProps<'quick_poll'>) {
  const { poll, results } = data
  if (!poll) return null
  return (
    <BlockSection id={id} title={title.text ? title : poll.title} wash>
      <div className="card">
        <div className="card-body">
          <QuickPoll poll={poll} results={results} />
        </div>
      </div>
    </BlockSection>
  )
}
