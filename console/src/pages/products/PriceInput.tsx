// Minimum and maximum price of a product. Editable only while no variant has a price; otherwise the variants determine them.
import { useInfiniteQuery } from '@tanstack/react-query'
import { useParam, useWhose } from '../../api/company.ts'
import { listQuery } from '../../api/records.ts'
import { MemberInput, type MemberInputProps } from '../../parts/MemberInput.tsx'
import { ReadMember } from '../../parts/ReadMember.tsx'
import { text } from '../../texts/catalog.ts'
import { isPriced, variantsQuery } from './variants.ts'

export function PriceInput(props: MemberInputProps) {
  const id = useParam('id')
  // The same query as in the variants card, so it is sent once.
  const { data } = useInfiniteQuery(listQuery(useWhose(), 'variants', variantsQuery(id)))
  const isComputed = data?.pages.some((page) => page.data.some(isPriced)) ?? false
  if (!isComputed) return <MemberInput {...props} />
  return <ReadMember {...props} {...(props.isReadOnly !== true && { hint: text.pricesComputed })} />
}
