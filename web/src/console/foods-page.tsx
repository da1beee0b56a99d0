import type { StoredCatalogue } from 'larder-client';
import { pathTo } from '../larder.ts';
import { tell } from '../parts/toast.tsx';
import { askFirst } from './dialogs.tsx';
import { format } from './format.ts';
import { useLoaded } from './loaded.ts';
import { operator } from './operator.ts';
import { words } from './texts/texts.ts';
import { nameIn, Panel, Table, View } from './view.tsx';

/** The foods that search knows, by source, and the way back to earlier ones. */
export function FoodsPage() {
  const loaded = useLoaded(operator.catalogues);
  const {
    sections,
    catalogueText,
    inUse,
    earlier,
    noEarlier,
    importMore,
    use,
    created,
    size,
    source,
    origins,
  } = words.value;
  const activate = (catalogue: StoredCatalogue) => {
    const { useTitle, useText, used } = words.value;
    askFirst({
      title: useTitle,
      text: useText(foodsOf(catalogue), madeAt(catalogue)),
      yes: use,
      act: async () => {
        await operator.activate(catalogue.id);
        tell(used);
        await loaded.reload();
      },
    });
  };
  return (
    <View title={sections.foods} intro={catalogueText} loaded={loaded}>
      {({ active, catalogues }) => {
        const shown = catalogues.find(({ id }) => id === active);
        const others = catalogues.filter(({ id }) => id !== active);
        return (
          <>
            {shown !== undefined && (
              <Panel title={inUse} isWide>
                <p class="verdict">
                  <span class="number">{foodsOf(shown)}</span>{' '}
                  <span class="quiet">
                    {[sizeOf(shown), madeAt(shown)].filter((part) => part !== '').join(' · ')}
                  </span>
                </p>
                {shown.sources !== undefined && <Sources sources={shown.sources} />}
                <p>
                  <a class="button primary" href={pathTo('console/imports')}>
                    {importMore}
                  </a>
                </p>
              </Panel>
            )}
            <Panel title={earlier} isWide>
              <Table
                none={noEarlier}
                label={earlier}
                columns={[sections.foods, created, size, source, '']}
                rows={others}
                keyOf={({ id }) => id}
                cells={(catalogue) => [
                  <strong key="foods">{catalogue.problem ?? foodsOf(catalogue)}</strong>,
                  madeAt(catalogue),
                  sizeOf(catalogue),
                  <span key="sources" class="small">
                    {catalogue.sources?.map(({ origin }) => nameIn(origins, origin)).join(', ')}
                  </span>,
                  catalogue.problem === undefined ? (
                    <span key="actions" class="row-actions">
                      <button type="button" onClick={() => activate(catalogue)}>
                        {use}
                      </button>
                    </span>
                  ) : (
                    ''
                  ),
                ]}
              />
            </Panel>
          </>
        );
      }}
    </View>
  );
}

function Sources({ sources }: { readonly sources: NonNullable<StoredCatalogue['sources']> }) {
  const { source, imported, sections, origins } = words.value;
  const { ago, count } = format.value;
  return (
    <Table
      label={source}
      columns={[source, sections.foods, imported]}
      rows={sources}
      keyOf={({ origin }) => origin}
      cells={({ origin, foods, importedAt }) => [
        nameIn(origins, origin),
        count(foods),
        <span key="at" title={format.value.moment(importedAt)}>
          {ago(importedAt)}
        </span>,
      ]}
    />
  );
}

function foodsOf({ foods, id }: StoredCatalogue): string {
  return foods === undefined ? id : words.value.foodsCount(format.value.count(foods));
}

function sizeOf({ bytes }: StoredCatalogue): string {
  return bytes === undefined ? '' : format.value.bytes(bytes);
}

function madeAt({ createdAt }: StoredCatalogue): string {
  return createdAt === undefined ? '' : format.value.ago(createdAt);
}
