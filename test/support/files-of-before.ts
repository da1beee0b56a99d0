import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { StoredRecord } from '../../src/foods/catalogue/food-record.ts';

const SEGMENT_NAME = '20261125-120000000-01-off.segment';
export const CATALOGUE_OF_BEFORE = '20261125-120000-8bf0a479';

/** Writes the data folder of a service of version 0.1.0 with a segment of version 2 and its catalogue of version 5. */
export function writeDataOfBefore(dataDir: string): void {
  const [catalogues, segments] = ['catalogues', 'segments'].map((name) => join(dataDir, name)) as [
    string,
    string,
  ];
  mkdirSync(catalogues, { recursive: true });
  mkdirSync(segments, { recursive: true });
  writeFileSync(join(segments, SEGMENT_NAME), segmentOfBefore());
  writeFileSync(join(catalogues, `${CATALOGUE_OF_BEFORE}.catalogue`), catalogueOfBefore());
  writeFileSync(join(catalogues, 'current'), `${CATALOGUE_OF_BEFORE}\n`);
}

export const segmentOfBefore = () =>
  unpack(
    'H4sIAAAAAAACA/NxDHJxDQp2Z2KAgGIGBgavA73FtYYz9jFt4fdIrErNySstUSguKEpNTOF1rUjMLchJVXAqSsxLYRQMOLyoJFXh8AKFksSiks' +
      'y81CKG//U3FH8yrxT+qTyRaabySvmLbJwaD6V2SD5g2yR9ipHRoILXUKEkqbhAQcPQVCFdk+FjcCpDxfMMbwYGhj7HRqbu8MsbdjIzCIXkJxaX' +
      'pKYo5CeWKCSnFqUm5sgfOcC0gVPiJOMNRoUJvAJMBgeYeAwVkksLFDRMDBTSNflZkvLLczgeMIOMVAMZx9jIDPUHA5cf3Av6DA8UDX4wnmDeAV' +
      'apzsDAsMqh98ncrRu/sJxgcc7PSdRnuMDEwHCR7SIbo+EFEVZDheTEPJBSZWD4NDC3njBiYOByLCjISdVRKEoslxfYwHyK8RTjQvbCl0wgZXwM' +
      'DAzcDL1sDlOCFjOzBOcnFlQr5RdlpmfmKVkp5aelKekoZeYW5BeVpKY4lihZGZqbm5kbWZoZGOgoFeeXFiWnFitZRSuVpBaXKMXqKKXl56cUK1' +
      'mZ6ihl5+WX5wUU5aeUJpcUK1kZ1oLjy6HMIZyBgeFYxalcH2hUAgAAsHKx0wEAAA==',
  );

export const catalogueOfBefore = () =>
  unpack(
    'H4sIAAAAAAACA8VYbWwcRxl+9s53sc++xmlDSUtLthcQaZuE3dnZmd2AwElbCFWhaRIIEkRofbe2Tz7fXvfWOB8KTSUQoDZVKj77I0DLh1Q+DW' +
      'pFQRVKCaAkQihRBSofhRRVQvwEIaH+gHBzN5dMxvbd2o7oSO/t3ezM+8z7vB/z2vft2HP3PXvu2pcDwGf3/RxivO2Fsfbz2PzYb9YB//zCp6ew' +
      'xPj22PFXTz77w38NnBm4K6oFb8f5DHAhfyFv2OfX52yzHNTxj70h7j11vHnU/vLPMs+s3RUcDmv12cRsNuIwqBTvORjMNGqhuTMO6pXMut2nn0' +
      'pC8/TXzCSIk2o9jAsfuLzWMB7OXnropdteyz59w2ubHs88senpjRfyQ5tfufm5my7mf/Smc4ZhHSzaZjLebJibbdecvL2NfvBvwoBj2U+dIUBh' +
      'R6NRC7eYcTC3cXQ+e844Zzy55sG/Z9orH9vxcOaR/S/O/ySL6/dFQTMJK2YUJGY5jMOgtvEXpzLzQxvOGi8Z5oniaMY6lRmxzfJsw9xMLXPy9r' +
      'UD49FcbfBitq1rGMfzY5/f8/XswN4oaGDJUQBwJwAK4L1Y/sgCyGNl4/5HfvtFgf/c9H+pwI+sW0viDMmleaEWu07cMiXe3/uyc+7OJXQMYOXj' +
      'm5uC58XzrT/41ZzA+c/Jl18V5/jGv/dfSsNFgAANNFBDiHHECFBHBWWEiBEiQA1lRKghQIiDCDAj104hwGGEqKGOWSTyM0KABI32Z9jWNocmGl' +
      'JXBQkCxEhQRb39vrOj2V5dWTEHhvTfMIB1AN4A4JYWB28RqdjKsTsAbANgixwF8G4A75F7MwBKowZuHBvAHaMDKJwASpZhlB6wBjBmIXNsFCWs' +
      'QwafBEERpZ3rQY5tuIx9xmj7b/SZjCHOMCrOkAOsDGAOAbsBjI0AY2uA3cPAmAA0gNGCDLwiMDooY3ClQ9gwAmAtgBtWwF1GPrPKnKHMqWuMRc' +
      '7afZ+VsZyT/lgDQNg2JHN0WJ6zCOC6a4i/mnEWRlvn0uPZ3grWGZnVnsFQbFQlq3CqS16R1WJnFX6hPJejY0Dxd9fnXX9fJ/PyehmfIj83SLlZ' +
      '5uqtAN4M4DaRj0rubpb5K2SLFAsAAeC0vONKYQB8AO+Q8k4A7xLJB2CnqMMtX78PwPtFzUYnMR+QsgfAhwDsB/BhAB8F8DEA40C7Kk0CEPdfVc' +
      'o0gBqAGVHvAYirqSlqPoCPAzgM4EirFh8F8AkAD0n5TIuXz7Y4eVTKcSmPSXm8xc/nAHwJwBMtTk62OPkKgK+2eHmyxctTAL4leobWffedFhff' +
      'BfC9Vm37fouTeRmpPxZ3EYCftjh4XpEXWjyI5uQ0gF9KOQvg1y0uzgN4scXB7wD8HsAfAPyxxcOfpPxZyl+kXJTySoujv64y/grK/VtU4jsnYz' +
      'Kv1Y3uXE6ZL8hnNx+6MT0i16+R64vy2cXMKfu667OabvUMRSUnu2vyGvaw8lvVMaidbY18111jKDnTnRtRzqzqU889ovCmruvqyyjnVXkrKjYX' +
      'l5jLL8K5obwvKvVJt9nQOFE5LMqz5bQ1w9qaosZDF29Ynimn8JHX9HXXFhWeVLsG5bkHtVjTYyin7B1R7DeUuFLvuxGFY0O5m/PKPnXPkLInq9' +
      'TirJIXGcV+1Z9F7Z3q56yWMzmJZSj2jkj7C6vM4YzkckixR8iorPnrZc2/sVXb3ijr/k1KzV/NyCnc5eQ59PzJKrGV1fJGj/Eh5buh+Uzdc6V/' +
      '7nbPnW53pTYMrtB+0buK3nSlIyv9s1r/v17j9cS+VsNYhR1HCmapWp+IStvNIwXTLJXjMEjCyo6ktN20ue8yy7PaY4t4OxFFlWZpu0nbv6br0V' +
      'x9dxxVZsuJmLXbs1FcnazWm1KhWYomJrrfryggWzq/F6gQ00fbL0vl6oOzQW3hXnuJvZayd6JSXu7GgtxcaoaTM2G9/eYj4o3UUg9mwtJ2s0Qs' +
      'wmybuFtt0mHG2mrZW6OJiW1yY0nCdIgQWwQFcrI604jiKwRzxonPOuwK6Gg2LoeXkU2zlITNpNT+fmDL1da4S1Eo58cPJW1NlPGufQcKbRNLzb' +
      'CcVKN6F6fjp659cViO4kqzc+DSdLVeEbOznpyIJiaaoTg8o52JWlifTKZK201HmlEqx2WHCGTiUJty3+tSezVQoxYIWzUch+hAjqcjEQ2IuJZH' +
      'PMpdtjhStbKtKf6blQKMUk8Ds8nVYA71iW8TTqwlwcJ6ElfTmOZ2lV9G68JfNs1njHjM5WRxtMmkWk9tnMuZBqehOb5jWZ7t0F5oqa1j1NJDRO' +
      'OScJ85Io0Wh2uGQVye2paE8cy+8GCiI9pMR+SWHio21YPS9plLfOY6fTH3pqTV83VamQZqU4s73LN92hf0vjBJwjgFqs90dl2meZNR7jDGfLcn' +
      'amp/2hbR6eUaJHFcy+KE9GFXQB5KS69tu6RPAXA813Isl3s9URtRM6nWJ9NAEpv1I5f4LueceiwNZmpbiWf1iyVCLd9zOO+JOxUGlTR4DqXXxt' +
      'DxWlSe3pUSlVp6laVXg7quZzOb+aQ3ZjWZCRp7gvpkqvClXI8jjVorBdr/AyhsJrujxmwtiKvJof5VbxE8pvFp+5y7lPpe77xsTgWNsP/Vb7sO' +
      '6+0/h9qcudRzemek+LlztjwdpsqNbp+kmOnpddamnHJC3b6wd0fl2U6b1x+YEz1ciWYvtxzf5oT0dmwlrIWi8UpvMvd1z7q2XnKZ7zvcIjwV9L' +
      '4wnkkBTBymm+xbuo99m3nUcv3ehSGJq5NxMJPaZsdZwLbuZodw5jJCfC8NckqTHeqyBa2flrc+JbbFGfUXxxXP5jLaFcdd0Nrq3rVtx7Zsf8mO' +
      '7Apk2ivGYX1bXGo7LreY5/YFTd2tOHxBq6t3uoQxh7iE9CRXfKZ1KO/X7noeo5TZlPVDTM2tt6Dl1UOXcpdb3OO0H+b9c/V0zPoLmt7lXaYdSP' +
      'Fn5TJqouOzPlc4cRxuea7juP1gP1hvNsJydaIaVvpePdRy9DiyNYZd4lCLc5f3wk3fC1LL7xNGNvMZ9yhxnBSIaUOJ2gv6+wVp6lPCGbHbVbBg' +
      'Higc/R9FqP+cTiIAAA==',
  );

function unpack(text: string): Buffer {
  return gunzipSync(Buffer.from(text, 'base64'));
}

/** The records that version 0.1.0 reads from its catalogue. */
export const RECORDS_OF_BEFORE = [
  {
    food: {
      id: 'off:5449000000996',
      source: 'public_dataset',
      name: 'Cola',
      aliases: [],
      basis: 'ml',
      per100: {
        energy: 42,
        protein: 0,
        fat: 0,
        carbohydrates: 10.6,
        sugars: 10.6,
      },
      servings: [
        {
          value: 330,
          unit: 'ml',
          basisAmount: 330,
          label: '1 can',
        },
      ],
      popularity: 200,
      createdAt: 1700000000,
      updatedAt: 1700000000,
      barcode: '5449000000996',
      gtin: '05449000000996',
    },
    otherIds: [],
  },
  {
    food: {
      id: 'off:3017620422003',
      source: 'public_dataset',
      name: 'Hazelnut spread',
      aliases: ['Pâte à tartiner', 'Nut spread'],
      basis: 'g',
      per100: {
        energy: 539,
        protein: 6.3,
        fat: 30.9,
        carbohydrates: 57.5,
        fiber: 3.4,
        sugars: 56.3,
        addedSugars: 50.1,
        saturatedFat: 10.6,
        transFat: 0.1,
        cholesterol: 5,
        sodium: 42.8,
        potassium: 407,
        calcium: 108,
        iron: 4.38,
        vitaminD: 0.25,
      },
      servings: [
        {
          value: 15,
          unit: 'g',
          basisAmount: 15,
          label: '1 tbsp (15 g)',
        },
      ],
      popularity: 180,
      createdAt: 1700000000,
      updatedAt: 1760000000,
      brand: 'Example Brand',
      barcode: '3017620422003',
      gtin: '03017620422003',
    },
    otherIds: ['fdc:3'],
  },
  {
    food: {
      id: 'ciqual:13000',
      source: 'public_dataset',
      name: 'Apple, raw',
      aliases: [],
      basis: 'g',
      per100: {
        energy: 54,
        protein: 0.25,
        fat: 0.25,
        carbohydrates: 11.6,
        fiber: 1.4,
        calcium: 4.5,
      },
      servings: [
        {
          value: 100,
          unit: 'g',
          basisAmount: 100,
        },
      ],
      popularity: 0,
      createdAt: 1700000000,
      updatedAt: 1700000000,
    },
    otherIds: [],
  },
  {
    food: {
      id: 'fdc:2',
      source: 'public_dataset',
      name: 'Toasted oat cereal',
      aliases: [],
      basis: 'g',
      per100: {
        energy: 375,
        protein: 7.5,
        fat: 6.25,
        carbohydrates: 67.5,
        fiber: 10,
        sodium: 525,
        vitaminD: 5,
      },
      servings: [
        {
          value: 40,
          unit: 'g',
          basisAmount: 40,
          label: '1 cup (40 g)',
        },
        {
          value: 1,
          unit: 'bowl',
          basisAmount: 60,
        },
      ],
      popularity: 0,
      createdAt: 1700000000,
      updatedAt: 1700000000,
      stated: {
        amount: 40,
        nutrients: {
          energy: 150,
          protein: 3,
          fat: 2.5,
          carbohydrates: 27,
          fiber: 4,
          sodium: 210,
          vitaminD: 2,
        },
      },
      barcode: '16000275287',
      gtin: '00016000275287',
    },
    otherIds: [],
  },
  {
    known: {
      id: 'off:4000000000006',
      name: 'Soap',
      barcode: '4000000000006',
      gtin: '04000000000006',
    },
    otherIds: [],
  },
] as unknown as readonly StoredRecord[];
