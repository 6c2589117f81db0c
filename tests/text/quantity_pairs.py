"""Pairs of quantities in sentences, labelled by what they mean: one amount, two that exclude each other, or neither to
be told from the words alone. Made by hand, part of them put into frames; the labels are no reader's output."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

Label = Literal["same", "different", "cannot tell"]


class Pair(NamedTuple):
    """Two sentences that differ in one quantity alone, and how the quantities stand to each other."""

    a: str
    b: str
    label: Label


# Frames for one kind of measure; then lines "one | other" under a label.
FRAMED: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("The Marlow flask held {} of glucose at noon.", "Nurses gave {} of Veltrin to each adult."),
        """
        same: 5 mg | 0.005 g ; 5 mg | 5000 µg ; 5 mg | 5,000 micrograms ; 2.5 kg | 2500 g ; 2.5 kg | 2,500 grams
        same: 1e3 mg | 1 g ; 2.5e-3 g | 2.5 mg ; 2.5 × 10⁻³ g | 2.5 mg ; 2.5 x 10^-3 g | 0.0025 g ; 10^3 mg | 1 g
        same: five milligrams | 5 mg ; 1½ g | 1.5 g ; 1/2 g | 500 mg ; half a gram | 0.5 g ; 0.75 g | 3/4 g
        same: 5–10 mg | 5 to 10 mg ; between 5 and 10 mg | 5-10 mg ; 5 mg to 10 mg | 0.005–0.010 g
        same: at least 5 mg | 5 mg or more ; at most 5 mg | no more than 5 mg ; less than 5 mg | <5 mg
        same: more than 5 mg | over 5 mg ; up to 20 mg | at most 0.02 g ; about 5 mg | approximately 5 mg
        same: ≥5 mg | at least 5 mg ; ~5 mg | around 5000 µg ; 5.0 ± 0.3 mg | 5.0 +/- 0.3 mg ; 5.00 mg | 5 mg
        same: 5 mg | 5 milligrams ; not less than 5 mg | at least 5 mg ; twenty-five grams | 25 g ; 1 tonne | 1000 kg
        different: 5 mg | 6 mg ; 5 mg | 5 g ; 5 mg | 50 mg ; 2.5e6 g | 2.5e9 g ; 2.5e-3 g | 2.5e3 g ; 5 mg | 0.05 g
        different: 5 mg | 5 µg ; 5 mg | 5 kg ; 10^3 g | 10^4 g ; 2.5 × 10⁶ g | 2.5 × 10⁻⁶ g ; 1/2 g | 1/4 g
        different: half a gram | 0.25 g ; at least 5 mg | 3 mg ; at most 5 mg | 8 mg ; less than 5 mg | 5 mg
        different: more than 5 mg | at most 5 mg ; <5 mg | >5 mg ; 5–10 mg | 12 mg ; 5–10 mg | 20–30 mg
        different: up to 20 mg | 35 mg ; about 5 mg | 9 mg ; 5.0 ± 0.3 mg | 8.0 ± 0.3 mg ; five milligrams | 7 mg
        different: 1,200 mg | 1.5 mg ; 12 mg | 120 mg ; no more than 5 mg | at least 9 mg ; 5 milligrams | 5 kilograms
        cannot tell: 5 mg | about 5 mg ; 5 mg | at least 5 mg ; 5–10 mg | 7 mg ; at least 5 mg | at least 7 mg
        cannot tell: 12.3 mg | 12 mg ; more than 5 mg | at least 5 mg ; 5 mg | 5 mL ; 5–10 mg | 7–12 mg ; 5 mg | 5 mmol
        cannot tell: 5.0 ± 0.3 mg | 5.0 ± 0.5 mg ; 2,5 mg | 2.5 mg ; 2.5 × 106 g | 2.5 × 10⁶ g ; about 5 mg | 5.2 mg
        cannot tell: up to 20 mg | 12 mg ; at least 5 mg | 9 mg ; 5 mg | 5 mg/kg ; 5 mg | 5 mg per day ; 5 g | 5 IU
        cannot tell: 1.2 kg | 1,204 g ; up to 20 mg | at least 5 mg ; 2.45 kg | 2.5 kg ; nearly 5 mg | 5 mg
        """,
    ),
    (
        ("The Borealis buffer contained {} of sodium.", "Salt in the Aral lake stood at {} that spring."),
        """
        same: 0.0025 mol/L | 2.5e-3 mol/L ; 0.0025 mol/L | 2.5 mmol/L ; 2.5 mM | 2.5 mmol/L ; 2.5 mol L-1 | 2.5 mol/L
        same: 2.5 mol L⁻¹ | 2.5 mol/L ; 250 µM | 0.25 mM ; 5 mg/L | 5 µg/mL ; 5 mg/dL | 50 mg/L ; 3 g/L | 3 mg/mL
        same: 5 µg/mL | 5 micrograms per milliliter ; 5 mg per litre | 5 mg/L ; 2 ng/mL | 2 µg/L ; 4 g/m³ | 4 mg/L
        same: 2.5 × 10⁻³ mol/L | 2.5 mmol/l ; 1e-6 mol/L | 1 µmol/L ; 5 kg m-3 | 5 g/L ; 40 nM | 0.04 µM
        different: 0.0025 mol/L | 0.025 mol/L ; 2.5 mM | 2.5 µM ; 2.5 mmol/L | 2.5 mol/L ; 5 mg/L | 5 g/L
        different: 5 µg/mL | 5 ng/mL ; 5 mg/dL | 5 mg/L ; 2.5e-3 mol/L | 2.5e-2 mol/L ; 3 mol L-1 | 4 mol L-1
        different: at least 5 mM | 2 mM ; below 3 mg/L | 4 mg/L ; 2–3 mM | 5 mM ; 40 nM | 40 mM
        cannot tell: 5 mg/L | 5 mmol/L ; 5 mg/L | 5 mg ; about 2.5 mM | 2.5 mM ; 5 mg/L | 5 ppm ; 5 mg/kg | 5 mg/L
        cannot tell: at least 5 mM | 7 mM ; 2–3 mM | 2.4 mM ; 2.51 mM | 2.5 mM ; 5 U/L | 5 IU/L
        """,
    ),
    (
        ("The Torr relay waited {} before the second attempt.", "Each run of Flowlet takes {} on the old host."),
        """
        same: 500 ms | 0.5 s ; 90 s | 1.5 minutes ; 90 seconds | 1 min 30 s ; 2 h | 120 min ; 2 hours | 7200 s
        same: 1 hour and 30 minutes | 90 minutes ; two hours | 2 h ; 1 day | 24 hours ; 2 weeks | 14 days
        same: 36 hours | 1.5 days ; 1 year | 12 months ; 18 months | 1.5 years ; one and a half hours | 90 min
        same: half an hour | 30 minutes ; two decades | 20 years ; a 30-second | 30 s ; 5 µs | 0.005 ms
        same: 1e-3 s | 1 ms ; three days | 72 hours ; at least 2 h | 120 minutes or more
        same: 2–3 hours | 120 to 180 minutes
        same: 1 week | seven days ; 250 msec | 0.25 s ; a fortnight | 14 days ; less than 1 min | under 60 s
        different: 500 ms | 5 s ; 5 s | 30 s ; 2 h | 2 min ; 1 day | 48 hours ; 2 weeks | 10 days ; 1 year | 18 months
        different: 3 days | 3 months ; 5 minutes | 5 years ; half an hour | 45 minutes ; 90 minutes | 2 hours
        different: at least 2 h | 30 minutes ; under 5 s | 8 s ; 2–3 hours | 4 hours ; 1 hour | 3 hours ; 5 ms | 5 µs
        different: 1e-3 s | 1e-6 s ; two weeks | two months ; 2 h 30 min | 2 h 45 min ; up to 3 days | 10 days
        cannot tell: 30 days | 1 month ; 365 days | 1 year ; 52 weeks | 1 year ; 4 weeks | 1 month ; about 5 s | 5 s
        cannot tell: 5 s | up to 5 s ; within 5 minutes | 5 minutes ; 2–3 hours | 150 minutes ; 5 s | more than 4 s
        cannot tell: nearly an hour | 58 minutes ; 1.5 h | 1.53 h ; at least 2 days | at least 3 days
        """,
    ),
    (
        ("The Ardel bridge is {} long.", "Couriers cover {} between both Sorn depots."),
        """
        same: 1.5 km | 1500 m ; 1.5 km | 1,500 metres ; 250 cm | 2.5 m ; 3 mm | 0.3 cm ; 2e3 m | 2 km ; 10^3 m | 1 km
        same: 1 mile | 1.609344 km ; 3 feet | 36 inches ; two kilometres | 2000 m ; 1 500 000 m | 1500 km
        same: 5 ft 6 in | 66 inches ; 2.5 × 10³ m | 2.5 km ; 1½ km | 1.5 km ; 800 nm | 0.8 µm ; more than 2 km | >2000 m
        different: 1.5 km | 15 km ; 1.5 km | 1.5 m ; 5 miles | 5 km ; 3 mm | 3 cm ; 2e3 m | 2e5 m ; 1 km | 1 mile
        different: at least 3 km | 2 km ; 2–3 km | 4–5 km ; 5 feet | 5 metres ; under 2 km | 2.5 km ; 12 m | 21 m
        different: 10^3 m | 10^5 m ; 800 nm | 800 µm ; 3,000 m | 30 km ; no more than 3 km | over 4 km
        cannot tell: 5 miles | 8 km ; 1.5 km | about 1.5 km ; 2–3 km | 2.5 km ; 5 m | 5 m² ; up to 3 km | 3 km
        cannot tell: 26.2 miles | 42 km ; at least 3 km | at least 2 km ; 1.52 km | 1.5 km ; 6 feet | 1.8 m
        """,
    ),
    (
        ("In Ruvania {} of voters chose the Amber list.", "The error fell to {} of the samples in Delk."),
        """
        same: 50% | 50 percent ; 50% | 50 per cent ; 50% | half ; 25% | a quarter ; 20% | one fifth
        same: 75% | three quarters
        same: 5–10% | 5 to 10 percent ; at least 30% | 30% or more ; 0.5% | 5‰ ; 12.50% | 12.5% ; fifty percent | 50%
        same: less than 5% | under 5 percent ; between 10% and 20% | 10-20% ; 1/4 | 25% ; more than half | over 50%
        different: 50% | 40% ; 5% | 50% ; half | 25% ; a quarter | three quarters ; at least 30% | 20% ; 5% | 0.5%
        different: 5–10% | 15% ; less than 5% | 9% ; two thirds | one third ; 12.5% | 13.5% ; more than half | 45%
        different: at most 10% | at least 20% ; 3% | 4% ; one fifth | one half ; fifty percent | 15% ; 5‰ | 5%
        cannot tell: one third | 33% ; two thirds | 67% ; 12.3% | 12% ; 50% | about half ; 5–10% | 7% ; up to 10% | 8%
        cannot tell: 30% | at least 30% ; 49.8% | 50% ; nearly 50% | 49% ; over 30% | over 40%
        """,
    ),
    (
        ("Rates in Ostrava rose by {} that winter.", "Support for the Lind bill changed by {} in May."),
        """
        same: 5 percentage points | 5 pp ; 50 basis points | 0.5 percentage points ; five percentage points | 5 pp
        different: 5 percentage points | 8 percentage points ; 50 basis points | 5 percentage points
        different: 5% | 9% ; 3 pp | 13 pp
        cannot tell: 5% | 5 percentage points ; 5 percent | 5 pp ; 10 percentage points | 10 percent
        cannot tell: 50% | 50 basis points ; about 5 percentage points | 5 percentage points ; 5% | 3 percentage points
        """,
    ),
    (
        ("A seat at the Karvel costs {} this season.", "The Oman refit was paid for with {} from the fund."),
        """
        same: $5 million | $5,000,000 ; $5M | 5 million dollars ; €3 | 3 euros ; £20 | 20 GBP ; $2.5k | $2,500
        same: $1.2bn | 1.2 billion dollars ; €5 | EUR 5 ; US$40 | $40 ; five dollars | $5 ; at least $5 | $5 or more
        same: 3 million euros | €3m ; $1.5 million | $1,500,000 ; 50 cents | $0.50 ; up to €20 | at most 20 euros
        different: $5 | $6 ; $5 million | $5 billion ; €3 | €30 ; $5k | $5M ; £20 | £12 ; $1.2bn | $1.2m
        different: at least $5 | $3 ; up to €20 | €45 ; $5–10 | $15 ; 3 euros | 30 euros ; five dollars | $15
        cannot tell: $5 | €5 ; €5 | £5 ; $5 | 5 pounds ; $5 | about $5 ; $5–10 | $7 ; A$5 | $5 ; ¥500 | $5
        cannot tell: $5.2 million | $5 million ; 5 dollars | 5 euros ; €40 | $44 ; at least $5 | $9
        """,
    ),
    (
        ("The Pella dish held {} after a week.", "Inspectors counted {} in the Dorn sector."),
        """
        same: 2.5e6 cells | 2.5 million cells ; 2.5e6 cells | 2,500,000 cells ; 2.5 × 10⁶ cells | 2.5e6 cells
        same: 5 x 10^6 cells | five million cells ; 1,203 people | 1203 people ; two hundred patients | 200 patients
        same: 10⁶ cells | 1 million cells ; two dozen crates | 24 crates ; 12 000 000 birds | 12 million birds
        same: 250 birds | two hundred and fifty birds ; twenty-one crates | 21 crates
        same: at least ten crates | 10 or more crates
        same: 1.5 million birds | 1,500,000 birds ; 3k birds | 3,000 birds ; 10,000 birds | ten thousand birds
        same: between 10 and 20 crates | 10–20 crates ; fewer than 10 crates | less than ten crates
        different: 2.5e6 cells | 2.5e9 cells ; 2.5 million cells | 2.5 billion cells ; 10⁶ cells | 10⁷ cells
        different: 24 crates | 42 crates ; two dozen crates | 12 crates ; 1,203 people | 1,302 people
        different: 5 birds | 50 birds
        different: at least ten crates | 7 crates ; fewer than 10 crates | 15 crates ; 10–20 crates | 35 crates
        different: 5 × 10⁶ cells | 5 × 10⁻⁶ cells ; two hundred patients | three hundred patients
        different: 3k birds | 3 million birds
        different: 2.5e6 cells | 2.5 cells ; 12 000 birds | 12 birds ; 1.5 million birds | 1.8 million birds
        cannot tell: 5 × 106 cells | 5 × 10⁶ cells ; 24 patients | 24 nurses ; about 200 birds | 200 birds
        cannot tell: 1.2 million birds | 1,203,000 birds ; 10–20 crates | 15 crates ; over 200 birds | 250 birds
        cannot tell: nearly 1000 birds | 980 birds ; 24 patients | 36 nurses ; up to 10 crates | 4 crates
        """,
    ),
    (
        ("The Hask reactor was held at {} overnight.", "Water in the Lune pond reached {} in July."),
        """
        same: 37 °C | 37 degrees Celsius ; 37°C | 98.6 °F ; 0 °C | 32 °F ; 25 °C | 298.15 K ; -40 °C | minus 40 °C
        same: −5 °C | -5 °C ; 100 °C | 373.15 K ; 20–25 °C | 20 °C to 25 °C ; at least 60 °C | 60 °C or more
        different: 37 °C | 27 °C ; 5 °C | -5 °C ; minus 5 °C | 5 °C ; 37 °C | 37 K ; 100 °C | 100 °F ; 60 °C | 80 °C
        different: at least 60 °C | 40 °C ; 20–25 °C | 30 °C ; below 4 °C | 9 °C ; 300 K | 300 °C
        cannot tell: 37 °C | about 37 °C ; 20–25 °C | 22 °C ; 5 °C | 9 °F ; 37 °C | 37 degrees ; 36.9 °C | 37 °C
        """,
    ),
    (
        ("The Vash array moved {} during the storm.", "Engineers logged {} on the Pitt line."),
        """
        same: 36 km/h | 10 m/s ; 10 m s-1 | 10 m/s ; 10 m s⁻¹ | 10 metres per second ; 36 km per hour | 36 km/h
        same: 5 W/m² | 5 W/m2 ; 3 kWh | 3000 Wh ; 2 kW | 2000 W ; 5 km² | 5,000,000 m² ; 5 square kilometres | 5 km²
        same: 3 L | 3000 mL ; 1 m³ | 1000 L ; 5 cm³ | 5 mL ; 5 cubic metres | 5 m³ ; 101.325 kPa | 101325 Pa
        same: 5 MB | 5,000 kB ; 2 GHz | 2000 MHz ; 5 mg/kg | 5 µg/g ; 3 N | 3000 mN ; 1 MJ | 1000 kJ ; 4.184 kJ | 1 kcal
        same: 3 mg/kg/day | 3 mg per kg per day ; 5 mL/min | 0.3 L/h ; 9.81 m/s² | 9.81 m s-2 ; 1 ha | 10,000 m²
        same: 60 beats per minute | 1 beat per second ; 5 cases per 100,000 people | 50 cases per 1,000,000 people
        different: 36 km/h | 36 m/s ; 10 m/s | 10 km/h ; 5 km² | 5 m² ; 3 kWh | 3 MWh ; 2 kW | 2 MW ; 3 L | 3 mL
        different: 1 m³ | 1 cm³ ; 5 GHz | 5 MHz ; 5 MB | 5 GB ; 1 MJ | 1 kJ ; 5 mg/kg | 5 g/kg ; 5 mL/min | 5 L/min
        different: 5 cases per 1,000 people | 5 cases per 100,000 people ; 3 mg/kg/day | 9 mg/kg/day
        different: 120 mmHg | 80 mmHg
        different: 40 litres per minute | 40 litres per hour ; 1 kPa | 5 kPa ; 100 kcal | 200 kcal ; 5 µg/g | 7 µg/g
        cannot tell: 5 MB | 5 MiB ; 1 GB | 1024 MB ; 5 m² | 5 m³ ; 10 m/s | 10 m ; 3 kWh | 3 kW ; 100 kcal | 418 kJ
        cannot tell: 5 cases per 1,000 people | 5 cases ; 5 gallons | 19 L ; 5 tons | 5 tonnes ; 3 mg/kg | 3 mg/kg/day
        cannot tell: about 10 m/s | 10 m/s ; 10–12 m/s | 11 m/s ; 5 pounds | 5 lb ; 5 dB | 5 W ; at least 3 kW | 4 kW
        """,
    ),
)
_WHOLE = """
same | Output at Brenn grew twofold. | Output at Brenn grew 2-fold.
same | Risk was 3-fold higher in Dacia. | Risk was three-fold higher in Dacia.
same | The valve opened on 5 May 2020. | The valve opened on May 5, 2020.
same | The valve opened on 5 May 2020. | The valve opened on 2020-05-05.
same | The Ferrol mint closed in 1990. | The Ferrol mint closed in 1990.
same | The soil had a pH of 7.4 near Brix. | The soil had a pH of 7.40 near Brix.
different | The valve opened on 5 May 2020. | The valve opened on 6 May 2020.
different | The valve opened on 5 May 2020. | The valve opened on 2021-05-05.
different | The Ferrol mint closed in 1990. | The Ferrol mint closed in 1991.
different | The Ferrol mint closed in 1990. | The Ferrol mint closed in 2004.
different | Risk was 3-fold higher in Dacia. | Risk was 5-fold higher in Dacia.
different | The soil had a pH of 7.4 near Brix. | The soil had a pH of 5.1 near Brix.
different | The ratio stood at 2.5e6 in Dacia. | The ratio stood at 2.5e9 in Dacia.
different | The score rose to 0.31 on Minos. | The score rose to 0.62 on Minos.
different | The mean was -3.5 on the Ilk scale. | The mean was 3.5 on the Ilk scale.
cannot tell | Output at Brenn doubled. | Output at Brenn grew about twofold.
cannot tell | Losses at Brenn were cut twofold. | Losses at Brenn were halved.
cannot tell | The valve opened on 5 May 2020. | The valve opened in 2020.
cannot tell | The Ferrol mint closed in 1990. | The Ferrol mint closed in the 1990s.
cannot tell | The Ferrol mint closed around 1990. | The Ferrol mint closed in 1991.
cannot tell | One in five of the Brix ponds was dry. | Some 20% of the Brix ponds were dry.
cannot tell | The score rose to .311 on Minos. | The score rose to .31 on Minos.
cannot tell | The score rose to 0.31 on Minos. | The score rose to 31% on Minos.
cannot tell | Plate 12³ was kept at Brenn. | Plate 1728 was kept at Brenn.
cannot tell | The test gave p < 0.05 on Minos. | The test gave p = 0.03 on Minos.
"""


def pairs() -> Iterator[Pair]:
    """Every pair, each frame filled with each line of it."""
    for frames, listed in FRAMED:
        for line in listed.strip().splitlines():
            label, _, items = line.strip().partition(": ")
            assert label in ("same", "different", "cannot tell"), line
            for item in items.split(" ; "):
                one, other = (part.strip() for part in item.split(" | "))
                for frame in frames:
                    yield Pair(frame.format(one), frame.format(other), label)  # type: ignore[arg-type]
    for line in _WHOLE.strip().splitlines():
        label, one, other = line.split(" | ")
        yield Pair(one, other, label)  # type: ignore[arg-type]
