// The inputs of an extension.
import { SegmentedControl, SimpleGrid, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { Card } from '../../parts/Card.tsx'
import { FormFrame } from '../../parts/FormFrame.tsx'
import type { FormWithInputs } from '../../parts/form-inputs.ts'
import { NumberText } from '../../parts/NumberText.tsx'
import { text } from '../../texts/extensions.ts'
import { Surfaces } from './Surfaces.tsx'

export const extensionMembers = [
  ...['name', 'shortDescription', 'description', 'category', 'status', 'icon', 'gallery', 'website', 'price'],
  'surfaces',
]

/** Empty lines of the gallery are not pictures. */
export const extensionBody = (body: Readonly<Record<string, any>>) => ({
  ...body,
  ...(Array.isArray(body.gallery) && { gallery: picturesOf(body.gallery) }),
})

export const picturesOf = (lines: readonly string[] | undefined): string[] =>
  (lines ?? []).map((line) => line.trim()).filter((line) => line !== '')

type Status = keyof typeof text.statuses

export function ExtensionForm({ form }: { form: FormWithInputs }) {
  const { values } = form
  const status = values.status as Status
  return (
    <FormFrame form={form} submit={form.isNew ? text.create : text.save}>
      <Card title={text.sections.listing}>
        <Stack gap="sm">
          <TextInput label={text.name} required aria-required {...form.input('name')} />
          <TextInput label={text.shortDescription} {...form.input('shortDescription')} />
          <Textarea label={text.description} minRows={4} maxRows={16} {...form.input('description')} />
          <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing="sm">
            <TextInput label={text.category} description={text.categoryHint} {...form.input('category')} />
            <NumberText
              label={text.price}
              description={text.priceHint}
              value={values.price}
              onChange={(typed) => form.set('price', typed)}
              error={form.errorAt('/price')}
            />
          </SimpleGrid>
        </Stack>
      </Card>
      <Card title={text.sections.visibility}>
        <SegmentedControl
          aria-label={text.status}
          value={status}
          onChange={(value) => form.set('status', value)}
          data={Object.entries(text.statuses).map(([value, label]) => ({ value, label }))}
        />
        <Text size="sm" c="dimmed" mt={6} role="status">
          {text.statusHint[status]}
        </Text>
      </Card>
      <Card title={text.sections.pictures}>
        <Stack gap="sm">
          <TextInput type="url" label={text.icon} description={text.urlHint} {...form.input('icon')} dir="ltr" />
          <Gallery form={form} />
        </Stack>
      </Card>
      <Card title={text.sections.surfaces}>
        <Stack gap="md">
          <TextInput
            type="url"
            label={text.website}
            description={text.websiteHint}
            {...form.input('website')}
            dir="ltr"
          />
          <Surfaces form={form} />
        </Stack>
      </Card>
    </FormFrame>
  )
}

function Gallery({ form }: { form: FormWithInputs }) {
  const lines: readonly string[] = form.values.gallery ?? []
  const wrong = picturesOf(lines).flatMap((_, n) => {
    const message = form.problem?.errors.find(({ pointer }) => pointer === `/gallery/${n}`)?.message
    return message === undefined ? [] : [text.galleryWrong(n + 1, message)]
  })
  return (
    <Textarea
      label={text.gallery}
      description={text.galleryHint}
      value={lines.join('\n')}
      onChange={({ currentTarget: { value } }) => form.set('gallery', value === '' ? [] : value.split('\n'))}
      error={wrong.length > 0 ? wrong.join(' ') : form.errorAt('/gallery')}
      maxRows={10}
      dir="ltr"
      spellCheck={false}
    />
  )
}
