//! The grid of a room: positions, lines and cables by number. The last dimension varies fastest.

use super::{Cable, Room};

impl Room {
    /// The coordinates of a midplane, one for each dimension. The last dimension varies fastest. Empty in a switched
    /// room.
    pub fn coordinates(&self, midplane: usize) -> Vec<u32> {
        if self.switched {
            return vec![];
        }
        let mut rest = midplane as u32;
        let mut coordinates: Vec<u32> = self
            .dimensions
            .iter()
            .rev()
            .map(|dimension| {
                let place = rest % dimension.length;
                rest /= dimension.length;
                place
            })
            .collect();
        coordinates.reverse();
        coordinates
    }

    pub(super) fn lay_cables(&mut self) {
        for dimension in 0..self.dimensions.len() {
            self.first_cables.push(self.cables.len());
            if self.switched {
                continue;
            }
            let steps = self.dimensions[dimension].cables();
            for line in 0..self.midplanes.len() {
                if self.coordinates(line)[dimension] == 0 {
                    let at = |place| self.moved(line, dimension, place);
                    let laid: Vec<Cable> = steps
                        .iter()
                        .map(|&(from, to)| Cable { dimension, from: at(from), to: at(to) })
                        .collect();
                    self.cables.extend(laid);
                }
            }
        }
    }

    /// The difference in number between adjacent midplanes along a dimension.
    fn stride(&self, dimension: usize) -> usize {
        self.dimensions[dimension + 1..].iter().map(|dimension| dimension.length as usize).product()
    }

    /// The midplane at another position of the same line.
    pub(super) fn moved(&self, midplane: usize, dimension: usize, place: u32) -> usize {
        let stride = self.stride(dimension);
        let own = midplane / stride % self.dimensions[dimension].length as usize;
        midplane - own * stride + place as usize * stride
    }

    /// The number of the line of a dimension that contains a midplane: the number of lines that begin before it.
    pub(super) fn line_number(&self, midplane: usize, dimension: usize) -> usize {
        let stride = self.stride(dimension);
        let length = self.dimensions[dimension].length as usize;
        midplane / (stride * length) * stride + midplane % stride
    }

    pub(super) fn cables_of_line(&self, dimension: usize) -> usize {
        self.dimensions[dimension].cables().len()
    }

    /// The first midplane of each line of a dimension that a box touches.
    pub(super) fn lines_through(&self, spans: &[Vec<u32>], dimension: usize) -> Vec<usize> {
        let mut across = spans.to_vec();
        across[dimension] = vec![0];
        self.midplanes_at(&across)
    }

    pub(super) fn midplanes_at(&self, spans: &[Vec<u32>]) -> Vec<usize> {
        let mut numbers = vec![0];
        for (dimension, span) in self.dimensions.iter().zip(spans) {
            let extend = |number: &usize| {
                let start = number * dimension.length as usize;
                span.iter().map(move |&place| start + place as usize)
            };
            numbers = numbers.iter().flat_map(extend).collect();
        }
        numbers
    }
}
