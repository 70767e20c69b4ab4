// The surfaces of an extension: a list of entries with a platform, a type and a URL.
import { ActionIcon, Autocomplete, Button, Group, SimpleGrid, Stack, Text, TextInput, Tooltip } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ExtensionSurface } from '../../api/schemas.ts'
import type { FormWithInputs } from '../../parts/form-inputs.ts'
import { text } from '../../texts/extensions.ts'
import classes from './extensions.module.css'

const platforms = ['web', 'ios', 'android', 'windows', 'all']
const types = ['link', 'page', 'app', 'checkout']

export function Surfaces({ form }: { form: FormWithInputs }) {
  const surfaces: readonly ExtensionSurface[] = form.values.surfaces ?? []
  const put = (n: number, name: keyof ExtensionSurface, value: string) =>
    form.set(
      'surfaces',
      surfaces.map((surface, at) => {
        if (at !== n) return surface
        // Members that are not shown here belong to the organization and are kept.
        const { [name]: _, ...others } = surface
        return value === '' ? others : { ...others, [name]: value }
      }),
    )
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {text.surfacesHint} {surfaces.length === 0 && text.noSurfaces}
      </Text>
      {surfaces.map((surface, n) => (
        <SurfaceInputs
          // biome-ignore lint/suspicious/noArrayIndexKey: a new one has no name but its place.
          key={n}
          {...{ form, surface, n }}
          put={(name, value) => put(n, name, value)}
          remove={() =>
            form.set(
              'surfaces',
              surfaces.filter((_, at) => at !== n),
            )
          }
        />
      ))}
      <Group>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => form.set('surfaces', [...surfaces, {}])}
        >
          {text.addSurface}
        </Button>
      </Group>
    </Stack>
  )
}

interface SurfaceInputsProps {
  readonly form: FormWithInputs
  readonly surface: ExtensionSurface
  /** Its position in the list, from 0. */
  readonly n: number
  readonly put: (name: keyof ExtensionSurface, value: string) => void
  readonly remove: () => void
}

function SurfaceInputs({ form, surface, n, put, remove }: SurfaceInputsProps) {
  const input = (name: keyof ExtensionSurface) => ({
    value: surface[name] ?? '',
    error: form.errorAt(`/surfaces/${n}/${name}`),
  })
  return (
    <fieldset className={classes.surface}>
      <legend className={classes.surfaceLegend}>{text.surface(n + 1)}</legend>
      <Tooltip label={text.removeSurface(n + 1)}>
        <ActionIcon className={classes.remove} aria-label={text.removeSurface(n + 1)} onClick={remove}>
          <IconTrash size={16} />
        </ActionIcon>
      </Tooltip>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="sm" verticalSpacing="sm">
        <Autocomplete
          label={text.platform}
          placeholder="all"
          data={platforms}
          onChange={(value) => put('platform', value)}
          {...input('platform')}
        />
        <Autocomplete
          label={text.type}
          placeholder="link"
          data={types}
          onChange={(value) => put('type', value)}
          {...input('type')}
        />
        <TextInput
          label={text.surfaceId}
          placeholder={text.surfaceIdHint}
          autoComplete="off"
          onChange={(event) => put('id', event.currentTarget.value)}
          {...input('id')}
        />
      </SimpleGrid>
      <TextInput
        mt="sm"
        type="url"
        label={text.url}
        placeholder={form.values.website}
        autoComplete="off"
        dir="ltr"
        onChange={(event) => put('url', event.currentTarget.value)}
        {...input('url')}
      />
    </fieldset>
  )
}
